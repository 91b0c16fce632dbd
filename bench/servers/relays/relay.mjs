// A room without rules and without storage: what one says goes to all, followed by whose turn it is.
import { WebSocketServer } from "ws";

const GAMES = {
  tower: { seats: 3, turn: (seat) => ({ type: "player_turn", data: { id: seat } }), first: 0 },
  // The first message here only starts the game.
  topple: { seats: 2, turn: (seat) => ({ type: "game:turn", payload: { n: seat + 1, t: true } }), first: 1 },
};
const { seats, turn, first } = GAMES[process.argv[2]];
const greets = process.argv[2] === "tower";
const TURN = Array.from({ length: seats }, (_, seat) => JSON.stringify(turn(seat)));
const rooms = new Map();

const server = new WebSocketServer({ host: "127.0.0.1", port: 0 }, () => {
  console.log(server.address().port);
});

server.on("connection", (socket, request) => {
  let room = rooms.get(request.url);
  if (room === undefined) {
    room = { sockets: [], turn: first };
    rooms.set(request.url, room);
  }
  if (greets) socket.send(JSON.stringify({ type: "room_joined", data: { id: room.sockets.length } }));
  room.sockets.push(socket);
  if (greets && room.sockets.length === seats) {
    for (const each of room.sockets) each.send(TURN[0]);
  }
  socket.on("message", (data) => {
    room.turn = (room.turn + 1) % seats;
    for (const each of room.sockets) {
      each.send(data, { binary: false });
      each.send(TURN[room.turn]);
    }
  });
});

process.on("SIGTERM", () => process.exit(0));
