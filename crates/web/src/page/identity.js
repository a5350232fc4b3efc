// The identity of the visitor: the key of this browser, other devices, and the end of an account.
// @ts-check

import { confirmDialog } from "./dialogs.js";
import { button, copy, html, labelled, update } from "./dom.js";
import { linkRow } from "./invite.js";
import { isKey, newKey, ownKey, takeKey } from "./key.js";
import { t } from "./language.js";
import { dateText } from "./lobby.js";
import { keep, keepHere, kept, keptHere } from "./preferences.js";
import { Form } from "./window.js";

/** @typedef {import("./received.js").DeviceView} Device */
/** @typedef {import("./rooms.js").Send} Send */

/** The beginning of the address with a code, after `#`. */
export const CODE = "device/";

/** The name of the key that the server has not confirmed yet. */
const NEXT = "quincunx.key.next";

/** The name of the code to be used, with the key that this device has then. */
const USED = "quincunx.code";

/**
 * A code without what stands between its characters; nothing where it is none.
 * @param {string} text
 */
const plainCode = (text) => /^[a-z2-9]{8}$/.exec(text.replace(/[^a-z0-9]/g, ""))?.[0] ?? "";

/** Connects anew as the person of the key that is kept now. */
const reload = () => location.replace(location.pathname + location.search);

/**
 * Becomes the person of a code, after asking: the own key may be nowhere else.
 * @param {string} code
 */
function confirmCode(code) {
  confirmDialog(t("rooms.code.confirm"), t("rooms.code.take"), () => {
    keepHere(USED, JSON.stringify({ code, key: newKey() }));
    reload();
  });
}

/** @param {string} key */
function confirmKey(key) {
  confirmDialog(t("rooms.key.replace"), t("rooms.key.take"), () => {
    takeKey(key);
    reload();
  });
}

export class Identity {
  /**
   * @param {Send} send
   * @param {(text: string) => void} say
   */
  constructor(send, say) {
    this.send = send;
    this.say = say;
    /** @type {Form | undefined} */
    this.form = undefined;
    this.devices = html("div");
    this.code = html("div");
  }

  /** The fields of hello beside the version. */
  hello() {
    const used = keptHere(USED);
    return used ? /** @type {{code: string, key: string}} */ (JSON.parse(used)) : { key: ownKey() };
  }

  /** The server knows the visitor: a key that was used with a code is kept. */
  welcome() {
    if (!keptHere(USED)) return;
    takeKey(this.hello().key);
    keepHere(USED, "");
  }

  /** Uses the code that the address has. It is not to stay there. */
  takeCode() {
    const wanted = location.hash.slice(1).toLowerCase();
    if (!wanted.startsWith(CODE)) return;
    const code = plainCode(wanted.slice(CODE.length));
    history.replaceState(null, "", location.pathname + location.search);
    if (code) confirmCode(code);
  }

  /**
   * A visitor is not let in. Says whether to say hello again: with the key that is valid, or a new
   * one.
   * @param {string} code
   */
  refuse(code) {
    const next = kept(NEXT);
    if (keptHere(USED)) {
      keepHere(USED, "");
      return true;
    }
    if (code === "old_key" && next) {
      takeKey(next);
      keep(NEXT, "");
      return true;
    }
    if (code === "forgotten") {
      takeKey(newKey());
      this.say(t("rooms.error.forgotten"));
      return true;
    }
    if (code === "old_key" && !this.form?.isOpen) this.open();
    return false;
  }

  /** Shows the key and the devices, and takes a key or a code of another one. */
  open() {
    const key = html("input", { value: ownKey(), autocomplete: "off", spellcheck: "false", maxlength: 40, class: "key" });
    const save = () => {
      const given = key.value.trim().toLowerCase();
      const code = plainCode(given);
      if (!isKey(given) && !code) return t("rooms.error.key");
      this.form?.close();
      if (code) confirmCode(code);
      else if (given !== ownKey()) confirmKey(given);
    };
    const press = async () => {
      if (await copy(key)) this.say(t("alert.copied"));
    };
    this.code.replaceChildren();
    this.devices.replaceChildren();
    this.form = new Form(t("rooms.key"), t("action.save"), save,
      html("p", {}, t("rooms.key.text")), html("div", { class: "row" }, labelled(t("rooms.key"), key), button(t("action.copy"), () => void press())), this.devices,
      html("div", { class: "row" },
        button(t("rooms.code"), () => this.send("make_code")),
        button(t("rooms.key.new"), () => this.#renew(), { class: "quiet" }),
        button(t("rooms.forget"), () => this.#forget(), { class: "quiet" })),
      this.code);
    this.send("devices");
    key.select();
  }

  #renew() {
    this.form?.close();
    confirmDialog(t("rooms.key.new.confirm"), t("rooms.key.new"), () => {
      // Where the answer is lost, the new key may be valid already.
      const key = newKey();
      keep(NEXT, key);
      this.send("new_key", { key });
    });
  }

  /** The new key is valid. */
  renewed() {
    const next = kept(NEXT);
    if (next) takeKey(next);
    keep(NEXT, "");
    this.say(t("rooms.key.renewed"));
  }

  #forget() {
    this.form?.close();
    confirmDialog(t("rooms.forget.confirm"), t("rooms.forget"), () => this.send("forget"));
  }

  /**
   * Shows a code for another device.
   * @param {string} code
   */
  showCode(code) {
    this.code.replaceChildren(html("p", {}, t("rooms.code.text")),
      html("p", {}, html("strong", { class: "code" }, `${code.slice(0, 4)}-${code.slice(4)}`)),
      linkRow(CODE + code, this.say));
  }

  /**
   * Shows the devices. One that was added has used the code.
   * @param {Device[]} devices
   */
  showDevices(devices) {
    this.code.replaceChildren();
    update(this.devices, devices.length > 1 && html("ul", {}, ...devices.map(({ device, seen, here, own }) =>
      html("li", { "data-device": device }, [
        own ? t("rooms.device.own") : t("rooms.device", { name: device }),
        seen !== null && t("rooms.device.seen", { date: dateText(seen, false) }), here && !own && t("rooms.device.here"),
      ].filter(Boolean).join(" · "), " ",
      !own && button(t("rooms.device.end"), () => this.send("end_device", { device }), { class: "quiet", "data-name": device })))));
  }
}
