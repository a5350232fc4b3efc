// Export of the game as a file, and shortcuts that copy its position, a link or a picture.
// @ts-check

import { options } from "./dialogs.js";
import { button, copy, html, labelled, select } from "./dom.js";
import { t } from "./language.js";
import { animationSvg, picturePng, pictureSvg } from "./picture.js";
import { open } from "./window.js";

/** @typedef {import("./received.js").Format} Format */

/** The copy formats by keyboard shortcut. @type {Record<string, "text" | "link" | "png">} */
export const COPIES = { c: "text", l: "link", p: "png" };

export class Exporter {
  /**
   * @param {(format: Format) => Promise<string>} request Requests the file from the program.
   * @param {SVGSVGElement} drawing
   * @param {(text: string) => void} showAlert
   * @param {() => string} name The name of files without their extension.
   */
  constructor(request, drawing, showAlert, name) {
    this.request = request;
    this.drawing = drawing;
    this.showAlert = showAlert;
    this.name = name;
  }

  /**
   * The file of this kind as text; the drawing for a PNG.
   * @param {string} kind
   */
  async #write(kind) {
    if (kind === "svg" || kind === "png") return pictureSvg(this.drawing);
    if (kind === "animation") return animationSvg(this.drawing);
    if (kind === "link") return link(await this.request("text"));
    return this.request(/** @type {Format} */ (kind));
  }

  /**
   * Copies the position, a link to it, or its picture.
   * @param {"text" | "link" | "png"} kind
   */
  async copy(kind) {
    const written = this.#write(kind);
    const type = kind === "png" ? "image/png" : "text/plain";
    try {
      // Safari forbids copying after the click: it is handed a promise during it.
      const blob = written.then((text) => kind === "png" ? picturePng(text) : new Blob([text], { type }));
      await navigator.clipboard.write([new ClipboardItem({ [type]: blob })]);
    } catch {
      // The context menu of the picture can copy it.
      if (kind === "png") {
        this.open("png");
        return;
      }
      try {
        if (!await copyText(await written)) return;
      } catch (error) {
        this.showAlert(error instanceof Error ? error.message : "");
        return;
      }
    }
    this.showAlert(t(kind === "link" && isLoopback(location.hostname) ? "export.link.local" : "alert.copied"));
  }

  /** Opens the share sheet of the system with the position, a link and the picture. */
  async #share() {
    try {
      const text = await this.request("text");
      const picture = await picturePng(pictureSvg(this.drawing));
      const files = [new File([picture], `${this.name()}.png`, { type: "image/png" })];
      const words = { text, ...(!isLoopback(location.hostname) && { url: link(text) }) };
      await navigator.share(navigator.canShare?.({ ...words, files }) ? { ...words, files } : words);
    } catch {
      // The sheet was closed.
    }
  }

  /**
   * Opens the dialog for export.
   * @param {string} [first] The kind that is shown first.
   */
  open(first = "sgf") {
    const kinds = options("export", ["sgf", "psq", "text", "renlib", "link", "svg", "png", "gif", "animation"]);
    const format = select(kinds, first);
    const content = html("textarea", { rows: 7, readonly: true, spellcheck: "false" });
    const text = labelled(t("export.content"), content);
    const picture = html("img", { class: "animation", alt: "", hidden: true });
    const choose = (/** @type {string} */ kind) => {
      format.value = kind;
      void show();
    };
    const local = html("div", { hidden: true }, html("p", { class: "facts" }, t("export.link.local")),
      html("div", { class: "row" }, ...["text", "png"].map((kind) => button(t(`export.${kind}`), () => choose(kind)))));
    const refusal = html("p", { class: "refusal", role: "alert", hidden: true });
    const show = async () => {
      const kind = format.value;
      content.value = refusal.textContent = "";
      text.hidden = !(picture.hidden = kind !== "gif" && kind !== "png");
      picture.alt = t(`export.${kind}`);
      // Clipboards can't hold animations.
      copyButton.hidden = kind === "gif" || kind === "png";
      local.hidden = kind !== "link" || !isLoopback(location.hostname);
      let written = "";
      let shown = "";
      let refused = "";
      try {
        written = await this.#write(kind);
        shown = kind === "png" ? URL.createObjectURL(await picturePng(written)) : written;
      } catch (error) {
        refused = error instanceof Error ? error.message : "";
      }
      // Another format may have been selected meanwhile.
      if (format.value !== kind) return;
      content.value = written;
      if (!picture.hidden) picture.src = shown;
      refusal.textContent = refused;
      refusal.hidden = refused === "";
    };
    const copyButton = button(t("action.copy"), async () => {
      if (content.value && await copy(content)) this.showAlert(t("alert.copied"));
    });
    const download = async () => {
      // The file was refused, or has not arrived yet.
      if (!content.value) return;
      const kind = format.value;
      const blob = kind === "png" ? await picturePng(content.value)
        : new Blob([kind === "renlib" || kind === "gif" ? bytesOf(content.value) : content.value]);
      const extensions = /** @type {Record<string, string>} */ ({ text: "txt", link: "txt", animation: "svg", renlib: "lib" });
      const extension = extensions[kind] ?? kind;
      const anchor = html("a", { href: URL.createObjectURL(blob), download: `${this.name()}.${extension}` });
      anchor.click();
      URL.revokeObjectURL(anchor.href);
    };
    format.addEventListener("change", () => void show());
    const dialog = open(t("action.export"),
      html("div", { class: "row" },
        ...Object.values(COPIES).map((kind) => button(t(`copy.${kind}`), () => void this.copy(kind))),
        "share" in navigator && button(t("action.share"), () => void this.#share())),
      labelled(t("export.format"), format), text, picture, local, refusal,
      html("div", { class: "row end" },
        button(t("action.close"), () => dialog.close(), { class: "quiet" }),
        copyButton,
        button(t("action.download"), () => void download(), { class: "main" })));
    void show();
  }
}

/**
 * Copies a text to the clipboard, and returns true on success.
 * @param {string} text
 */
async function copyText(text) {
  const focused = document.activeElement;
  const field = html("textarea", { class: "unseen", readonly: true });
  field.value = text;
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  const isCopied = await copy(field);
  field.remove();
  if (focused instanceof HTMLElement || focused instanceof SVGElement) focused.focus();
  return isCopied;
}

/**
 * Decodes a data URL.
 * @param {string} url
 */
const bytesOf = (url) => Uint8Array.from(atob(url.slice(url.indexOf(",") + 1)), (byte) => byte.charCodeAt(0));

/**
 * A link to a position, which is a line such as `15 renju h8i9`.
 * @param {string} line
 */
function link(line) {
  const url = new URL(location.href);
  url.hash = line.split(" ").join("/");
  return url.href;
}

/**
 * Returns true if a host name is local to the machine.
 * @param {string} host
 */
const isLoopback = (host) => host === "localhost" || host === "[::1]" || host.startsWith("127.");

