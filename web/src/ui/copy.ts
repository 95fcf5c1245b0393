/** Put a text on the clipboard, and return whether that was done. Pages without TLS have only the old way. */
export async function copyText(text: string): Promise<boolean> {
  if ("clipboard" in navigator) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return false; // not allowed
    }
  }
  const copied = (event: ClipboardEvent): void => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
  };
  document.addEventListener("copy", copied);
  const done = document.execCommand("copy");
  document.removeEventListener("copy", copied);
  return done;
}
