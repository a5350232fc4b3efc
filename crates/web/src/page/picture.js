// Export of the board as a picture.
// @ts-check

/** The style properties that are copied into the picture. */
const STYLES = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "opacity", "stop-color", "font-family",
  "font-size", "font-weight", "text-anchor", "dominant-baseline",
];

/**
 * The drawing as an SVG file.
 * @param {SVGSVGElement} drawing
 */
export function pictureSvg(drawing) {
  const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  const from = [drawing, ...drawing.querySelectorAll("*")];
  const to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value) to[i].setAttribute(name, value.replace(/url\("[^"#]*#/, 'url("#').replaceAll('"', ""));
    }
    for (const name of ["class", "style", "tabindex"]) to[i].removeAttribute(name);
  });
  for (const grid of copy.querySelectorAll("[role=grid]")) grid.remove();
  const [, , width, height] = (copy.getAttribute("viewBox") ?? "").split(" ");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  return new XMLSerializer().serializeToString(copy);
}

/** Seconds from one move to the next. */
const PACE = 0.7;

/**
 * The game as an animated SVG file in which the stones appear one by one.
 * @param {SVGSVGElement} drawing
 */
export function animationSvg(drawing) {
  const copy = new DOMParser().parseFromString(pictureSvg(drawing), "image/svg+xml");
  const layers = [...drawing.children].map((layer) => layer.getAttribute("class"));
  const layer = (/** @type {string} */ name) => copy.documentElement.children[layers.indexOf(name)];
  const appear = (/** @type {Element} */ element, /** @type {number} */ moves) => {
    element.setAttribute("visibility", "hidden");
    const set = copy.createElementNS("http://www.w3.org/2000/svg", "set");
    set.setAttribute("attributeName", "visibility");
    set.setAttribute("to", "visible");
    set.setAttribute("begin", `${(moves * PACE).toFixed(1)}s`);
    set.setAttribute("fill", "freeze");
    element.append(set);
  };
  const stones = [...layer("stones").children];
  stones.forEach((stone, i) => appear(stone, i + 1));
  for (const late of ["marks", "numbers"]) appear(layer(late), stones.length + 1);
  for (const other of ["ghost", "talk", "best", "hints", "premove"]) layer(other).replaceChildren();
  return new XMLSerializer().serializeToString(copy);
}

/**
 * A drawing as a PNG file.
 * @param {string} text The SVG.
 * @param {number} scale
 * @returns {Promise<Blob>}
 */
export async function picturePng(text, scale = 2) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  await image.decode();
  URL.revokeObjectURL(image.src);
  const canvas = document.createElement("canvas");
  canvas.width = image.width * scale;
  canvas.height = image.height * scale;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture")))));
}
