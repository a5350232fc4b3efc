// Keys by the names that the pages give their shortcuts.
// @ts-check

/**
 * The name of a key that was pressed: "u", "ArrowLeft", "Ctrl+z", "Ctrl+Shift+z". Caps Lock
 * changes nothing, and a Mac's command key is as good as the control key.
 * @param {KeyboardEvent} event
 */
export function shortcut({ key, ctrlKey, metaKey, shiftKey }) {
  const name = key.length === 1 ? key.toLowerCase() : key;
  return ctrlKey || metaKey ? `Ctrl+${shiftKey ? "Shift+" : ""}${name}` : name;
}
