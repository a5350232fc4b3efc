// The identity of the visitor: the key of this browser, other devices, and deletion of the account.
// @ts-check

import { confirmDialog } from "./dialogs.js";
import { button, copy, html, labelled, update } from "./dom.js";
import { linkRow } from "./invite.js";
import { isKey, newKey, ownKey, replaceKey } from "./key.js";
import { t } from "./language.js";
import { loadHere, loadShared, saveHere, saveShared } from "./preferences.js";
import { dateText } from "./room-setup.js";
import { Form } from "./window.js";

/** @typedef {import("./received.js").DeviceView} Device */
/** @typedef {import("./rooms.js").Send} Send */

/** The prefix of addresses with a code, after `#`. */
export const CODE = "device/";

/** The storage key of a new key that the server has not confirmed yet. */
const NEXT = "quincunx.key.next";

/** The storage key of the code to be used, with the new key of this device. */
const USED = "quincunx.code";

/**
 * A code without separators; an empty text if it is not valid.
 * @param {string} text
 */
const plainCode = (text) => /^[a-z2-9]{8}$/.exec(text.replace(/[^a-z0-9]/g, ""))?.[0] ?? "";

/** Connects again with the stored key. */
const reload = () => location.replace(location.pathname + location.search);

/**
 * Signs in with a code, after a confirmation: the key of this browser is replaced.
 * @param {string} code
 */
function confirmCode(code) {
  confirmDialog(t("rooms.code.confirm"), t("rooms.code.take"), () => {
    saveHere(USED, JSON.stringify({ code, key: newKey() }));
    reload();
  });
}

/** @param {string} key */
function confirmKey(key) {
  confirmDialog(t("rooms.key.replace"), t("rooms.key.take"), () => {
    replaceKey(key);
    reload();
  });
}

export class Identity {
  /**
   * @param {Send} send
   * @param {(text: string) => void} showAlert
   * @param {() => void} makeBot Opens the form for an engine's account.
   */
  constructor(send, showAlert, makeBot) {
    this.send = send;
    this.showAlert = showAlert;
    this.makeBot = makeBot;
    /** @type {Form | undefined} */
    this.form = undefined;
    this.devices = html("div");
    this.code = html("div");
  }

  /** The fields of `hello` that authenticate the visitor. */
  credentials() {
    const used = loadHere(USED);
    return used ? /** @type {{code: string, key: string}} */ (JSON.parse(used)) : { key: ownKey() };
  }

  /** The server has accepted the credentials: stores a key that was sent with a code. */
  accepted() {
    if (!loadHere(USED)) return;
    replaceKey(this.credentials().key);
    saveHere(USED, "");
  }

  /** Uses a code in the address, and removes it from there. */
  takeCode() {
    const wanted = location.hash.slice(1).toLowerCase();
    if (!wanted.startsWith(CODE)) return;
    const code = plainCode(wanted.slice(CODE.length));
    history.replaceState(null, "", location.pathname + location.search);
    if (code) confirmCode(code);
  }

  /**
   * Handles rejected credentials. Returns true if there are others to try: the previous, the next or
   * a new key.
   * @param {string} code
   */
  rejected(code) {
    const next = loadShared(NEXT);
    if (loadHere(USED)) {
      saveHere(USED, "");
      return true;
    }
    if (code === "old_key" && next) {
      replaceKey(next);
      saveShared(NEXT, "");
      return true;
    }
    if (code === "forgotten") {
      replaceKey(newKey());
      this.showAlert(t("rooms.error.forgotten"));
      return true;
    }
    if (code === "old_key" && !this.form?.isOpen) this.open();
    return false;
  }

  /** Opens the form with the key and the devices, where another key or a code can be entered. */
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
      if (await copy(key)) this.showAlert(t("alert.copied"));
    };
    this.code.replaceChildren();
    this.devices.replaceChildren();
    this.form = new Form(t("rooms.key"), t("action.save"), save,
      html("p", {}, t("rooms.key.text")), html("div", { class: "row" }, labelled(t("rooms.key"), key), button(t("action.copy"), () => void press())), this.devices,
      html("div", { class: "row" },
        button(t("rooms.code"), () => this.send("make_code")),
        button(t("rooms.key.new"), () => this.#renew(), { class: "quiet" }),
        button(t("rooms.bot"), () => {
          this.form?.close();
          this.makeBot();
        }, { class: "quiet" }),
        button(t("rooms.forget"), () => this.#forget(), { class: "quiet" })),
      this.code);
    this.send("devices");
    key.select();
  }

  #renew() {
    this.form?.close();
    confirmDialog(t("rooms.key.new.confirm"), t("rooms.key.new"), () => {
      // The new key may be valid even if the answer is lost.
      const key = newKey();
      saveShared(NEXT, key);
      this.send("new_key", { key });
    });
  }

  /** Stores the new key, which the server has confirmed. */
  renewed() {
    const next = loadShared(NEXT);
    if (next) replaceKey(next);
    saveShared(NEXT, "");
    this.showAlert(t("rooms.key.renewed"));
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
      linkRow(CODE + code, this.showAlert));
  }

  /**
   * Shows the devices, and hides the code: a new device may have used it.
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
