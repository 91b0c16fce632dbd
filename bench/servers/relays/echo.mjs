// The least that a WebSocket server can do: one message in, the same one out.
import { WebSocketServer } from "ws";

const server = new WebSocketServer({ host: "127.0.0.1", port: 0 }, () => {
  console.log(server.address().port);
});

server.on("connection", (socket) => {
  socket.on("message", (data) => socket.send(data, { binary: false }));
});

process.on("SIGTERM", () => process.exit(0));
