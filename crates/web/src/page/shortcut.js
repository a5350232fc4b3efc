// The names of keyboard shortcuts.
// @ts-check

/**
 * The name of a pressed key: "u", "ArrowLeft", "Ctrl+z", "Ctrl+Shift+z". Caps Lock is ignored, and
 * the Command key counts as Ctrl. Keys of other scripts are named by their position on a QWERTY
 * keyboard.
 * @param {KeyboardEvent} event
 */
export function shortcut({ key, code, ctrlKey, metaKey, shiftKey }) {
  const latin = key.length === 1 && key > "~" ? (/^Key(.)$/.exec(code)?.[1] ?? key) : key;
  const name = latin.length === 1 ? latin.toLowerCase() : latin;
  return ctrlKey || metaKey ? `Ctrl+${shiftKey ? "Shift+" : ""}${name}` : name;
}
