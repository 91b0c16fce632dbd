import type { Wire, WireEvents } from "./connection.ts";

/** A real WebSocket to the hall of the server this page came from. */
export function webSocket(events: WireEvents): Wire {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${scheme}://${location.host}/hall`);
  socket.onopen = () => events.opened();
  socket.onmessage = (event: MessageEvent<string>) => events.message(event.data);
  socket.onclose = (event) => events.closed(event.code);
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.close(),
  };
}
