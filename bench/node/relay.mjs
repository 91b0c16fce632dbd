// A room of three without rules and without storage: what one says goes to all, followed by whose turn it is.
import { WebSocketServer } from "ws";

const SEATS = 3;
const TURN = Array.from({ length: SEATS }, (_, id) => JSON.stringify({ type: "player_turn", data: { id } }));
const rooms = new Map();

const server = new WebSocketServer({ host: "127.0.0.1", port: 0 }, () => {
  console.log(server.address().port);
});

server.on("connection", (socket, request) => {
  let room = rooms.get(request.url);
  if (room === undefined) {
    room = { sockets: [], turn: 0 };
    rooms.set(request.url, room);
  }
  socket.send(JSON.stringify({ type: "room_joined", data: { id: room.sockets.length } }));
  room.sockets.push(socket);
  if (room.sockets.length === SEATS) {
    for (const each of room.sockets) each.send(TURN[0]);
  }
  socket.on("message", (data) => {
    room.turn = (room.turn + 1) % SEATS;
    for (const each of room.sockets) {
      each.send(data, { binary: false });
      each.send(TURN[room.turn]);
    }
  });
});

process.on("SIGTERM", () => process.exit(0));
