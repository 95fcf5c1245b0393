// Where the page is: whether there is a server, and the addresses of the page's own files.

/** Whether there is a server. A static site has none, and says so in its page (`macaz site`). */
export const hasServer = (): boolean =>
  document.querySelector('meta[name="macaz-server"][content="none"]') === null;

/** The address of a file of the page, such as "data/index.json". A static site may lie in any folder. */
export const fileUrl = (path: string): string =>
  new URL(path, new URL(hasServer() ? "/" : ".", location.href)).href;
