// Rooms without rules and without storage: whatever one says, everybody gets what they got in a recorded game.
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { WebSocketServer } from "ws";

const { games, lines } = JSON.parse(readFileSync(process.argv[2]));
const rooms = new Map();

// A seat is a function that sends a list of messages.
function enter(number, send) {
  let room = rooms.get(number);
  if (room === undefined) {
    room = { seats: [], game: games[number % games.length], step: 0 };
    rooms.set(number, room);
  }
  room.seats.push(send);
  return room;
}

function passOn(room) {
  const heard = room.game[room.step];
  room.step = (room.step + 1) % room.game.length;
  for (let seat = 0; seat < room.seats.length; seat++) room.seats[seat](heard[seat]);
}

function byWebSocket() {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 }, () => console.log(server.address().port));
  server.on("connection", (socket, request) => {
    const room = enter(Number(request.url.slice(1)), (messages) => {
      for (const message of messages) socket.send(message);
    });
    socket.on("message", () => passOn(room));
  });
}

function byLines() {
  const server = createServer({ noDelay: true }, (socket) => {
    let room;
    let unread = "";
    socket.setEncoding("utf8");
    socket.on("data", (data) => {
      const whole = (unread + data).split("\n");
      unread = whole.pop();
      for (const line of whole) {
        if (room !== undefined) {
          passOn(room);
          continue;
        }
        room = enter(Number(line), (messages) => {
          for (const message of messages) socket.write(message);
        });
        socket.write("welcome\n");
      }
    });
    socket.on("error", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
}

if (lines) byLines();
else byWebSocket();

process.on("SIGTERM", () => process.exit(0));
