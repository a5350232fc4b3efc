// Contacts: the people that the visitor has blocked, and the people who may send challenges. The
// server stores both.
// @ts-check

import { confirmDialog, options } from "./dialogs.js";
import { button, html, labelled, select, update } from "./dom.js";
import { t } from "./language.js";
import { nameText } from "./names.js";

/** @typedef {import("./received.js").ContactsView} ContactsView */
/** @typedef {import("./rooms.js").Send} Send */

export class Contacts {
  /** @type {ContactsView} */
  #view = { policy: "all", blocked: [] };
  /** The list of blocked people in the settings. */
  #list = html("section", { class: "row" });

  /** @param {Send} send */
  constructor(send) {
    this.send = send;
  }

  /** @param {ContactsView} view */
  receive(view) {
    this.#view = view;
    this.#show();
  }

  /** @param {string | null | undefined} name */
  hasBlocked(name) {
    return name != null && this.#view.blocked.includes(name);
  }

  /**
   * A button that blocks a person, after a confirmation, or unblocks them.
   * @param {string} name
   * @param {() => void} [done] Called when it is pressed.
   */
  button(name, done = () => {}) {
    const isBlocked = this.hasBlocked(name);
    const send = (/** @type {boolean} */ blocked) => () => {
      done();
      this.send("block", { name, blocked });
    };
    const block = () => confirmDialog(t("contacts.block.confirm", { name: nameText(name) }), t("contacts.block"), send(true));
    return button(t(isBlocked ? "contacts.unblock" : "contacts.block"), isBlocked ? send(false) : block,
      { class: "quiet", "data-block": name });
  }

  /** The part of the settings about contacts. */
  settings() {
    const policy = select(options("contacts.policy", ["all", "named", "none"]), this.#view.policy);
    policy.addEventListener("change", () => this.send("contacts", { policy: /** @type {ContactsView["policy"]} */ (policy.value) }));
    this.#list = html("section", { class: "row" });
    this.#show();
    return html("div", {}, labelled(t("contacts.policy"), policy, "field words"), this.#list);
  }

  #show() {
    const { blocked } = this.#view;
    update(this.#list, blocked.length > 0 && html("span", {}, t("contacts.blocked")),
      ...blocked.map((name) => button(`${nameText(name)} ×`, () => this.send("block", { name, blocked: false }),
        { class: "quiet", "data-unblock": name, title: t("contacts.unblock") })));
  }
}
