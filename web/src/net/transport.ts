// The connection of a page to a table: a WebSocket to the server, or a port of this browser's own host.

import type { ClientMessage, ServerMessage } from "./wire.ts";

/** What `TableSocket` uses of a connection. The methods `on…` are set by it. */
export interface Transport {
  readonly isOpen: boolean;
  /** whether it needs the network, and ends with the session of the person */
  readonly remote: boolean;
  send(message: ClientMessage): void;
  close(): void;
  onopen: () => void;
  onmessage: (message: ServerMessage) => void;
  /** not called after `close()`, unless the other side closed it at the same time */
  onclose: (code: number) => void;
}

/** A WebSocket to the server. */
export class ServerSocket implements Transport {
  readonly remote = true;
  onopen = (): void => undefined;
  onmessage = (_message: ServerMessage): void => undefined;
  onclose = (_code: number): void => undefined;
  readonly #socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/v1/socket`);

  constructor() {
    this.#socket.onopen = () => this.onopen();
    this.#socket.onmessage = (event) => this.onmessage(JSON.parse(event.data as string) as ServerMessage);
    this.#socket.onclose = (event) => this.onclose(event.code);
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  send(message: ClientMessage): void {
    this.#socket.send(JSON.stringify(message));
  }

  close(): void {
    this.#socket.close();
  }
}
