// Links to invite by: with a button that copies them, and as a QR code.
// @ts-check

import { button, copy, html } from "./dom.js";
import { t } from "./language.js";

/** Names of this machine, which lead nowhere at another: also those of all its addresses. */
const THIS_MACHINE = /^(localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/;

/**
 * The address of the page that other machines can open, if the server knows one.
 * @type {string | null}
 */
let publicAddress = null;

/** @param {string | null} address */
export function setPublicAddress(address) {
  publicAddress = address;
}

/**
 * The link to something of the lobby, as others can open it.
 * @param {string} hash
 */
function linkTo(hash) {
  const link = new URL(THIS_MACHINE.test(location.hostname) && publicAddress || location.href);
  link.hash = hash;
  link.search = "";
  return link.href;
}

/**
 * The pictures of links, as the server has drawn them.
 * @type {Map<string, string>}
 */
const pictures = new Map();

/**
 * A picture of a link.
 * @param {string} link
 */
function qrCode(link) {
  // It has its place before it is drawn: no button below it moves away from a pointer.
  const image = html("img", { class: "qr", alt: t("rooms.qr"), src: pictures.get(link) });
  if (!pictures.has(link)) {
    void fetch("qr", { method: "POST", body: link }).then(async (answer) => {
      if (!answer.ok) throw new Error(answer.statusText);
      const picture = `data:image/svg+xml,${encodeURIComponent(await answer.text())}`;
      pictures.set(link, picture);
      image.src = picture;
    }).catch(() => {
      // There is the link itself.
      image.hidden = true;
    });
  }
  return image;
}

/**
 * A link to something of the lobby, to copy, and to photograph.
 * @param {string} hash
 * @param {(text: string) => void} say
 */
export function linkRow(hash, say) {
  const field = html("input", { value: linkTo(hash), readonly: true, "aria-label": t("rooms.invite") });
  const press = async () => {
    if (await copy(field)) say(t("alert.copied"));
  };
  return html("div", {},
    html("div", { class: "row" }, field, button(t("action.copy"), () => void press())),
    qrCode(field.value));
}
