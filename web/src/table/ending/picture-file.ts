// What can be done with a picture: send it by the device's share dialog, save it, copy it.

const TRIAL = (): File => new File([], "macaz.png", { type: "image/png" });

/** Whether the device has a dialog that sends files. */
export function canShare(): boolean {
  try {
    return "canShare" in navigator && navigator.canShare({ files: [TRIAL()] });
  } catch {
    return false;
  }
}

/** Whether pictures can be copied: not on pages without TLS, nor in some browsers. */
export const canCopy = (): boolean => "ClipboardItem" in window && "clipboard" in navigator;

/** Open the share dialog, or save the picture if the device refuses. */
export async function shareImage(file: File, title: string): Promise<string | null> {
  try {
    await navigator.share({ files: [file], title });
  } catch (problem) {
    if ((problem as DOMException).name !== "AbortError") return saveImage(file);
  }
  return null;
}

/** Save the picture as a file. */
export function saveImage(file: File): Promise<null> {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  URL.revokeObjectURL(link.href);
  return Promise.resolve(null);
}

/** Copy the picture; what to say when it is done, or null where it was saved instead. */
export async function copyImage(file: File, done: string): Promise<string | null> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ [file.type]: file })]);
    return done;
  } catch {
    return saveImage(file);
  }
}
