// Invitation links, with a copy button and a QR code.
// @ts-check

import { button, copy, html } from "./dom.js";
import { t } from "./language.js";

/** Names of this machine that other machines can't use. */
const THIS_MACHINE = /^(localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/;

/**
 * The public address of the page, if the server knows it.
 * @type {string | null}
 */
let publicAddress = null;

/** @param {string | null} address */
export function setPublicAddress(address) {
  publicAddress = address;
}

/**
 * An address that other machines can open.
 * @param {string} path The part of it after the folder of the page.
 */
export function publicUrl(path) {
  const page = new URL(THIS_MACHINE.test(location.hostname) && publicAddress || location.href);
  page.search = "";
  return new URL(path, page).href;
}

/**
 * The QR codes by links, as data URLs.
 * @type {Map<string, string>}
 */
const pictures = new Map();

/**
 * The QR code of a link, drawn by the server.
 * @param {string} link
 */
function qrCode(link) {
  // Its size is fixed before it is loaded, so that no button below it moves.
  const image = html("img", { class: "qr", alt: t("rooms.qr"), src: pictures.get(link) });
  if (!pictures.has(link)) {
    void fetch("qr", { method: "POST", body: link }).then(async (answer) => {
      if (!answer.ok) throw new Error(answer.statusText);
      const picture = `data:image/svg+xml,${encodeURIComponent(await answer.text())}`;
      pictures.set(link, picture);
      image.src = picture;
    }).catch(() => {
      // The link itself is enough.
      image.hidden = true;
    });
  }
  return image;
}

/**
 * A field with a link, and a copy button.
 * @param {string} link
 * @param {string} label
 * @param {(text: string) => void} showAlert
 */
export function linkField(link, label, showAlert) {
  const field = html("input", { value: link, readonly: true, "aria-label": label });
  const press = async () => {
    if (await copy(field)) showAlert(t("alert.copied"));
  };
  return html("div", { class: "row" }, field, button(t("action.copy"), () => void press()));
}

/**
 * A field with a link to a part of the rooms, a copy button, and the QR code.
 * @param {string} hash
 * @param {(text: string) => void} showAlert
 */
export function linkRow(hash, showAlert) {
  const link = publicUrl(`#${hash}`);
  return html("div", {}, linkField(link, t("rooms.invite"), showAlert), qrCode(link));
}
