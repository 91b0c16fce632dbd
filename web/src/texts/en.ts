import type { ClockSetting, Seat } from "../lib/wire/types.ts";
import { topple } from "./topple.ts";

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

function span(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129_600) return `${Math.round(seconds / 3600)} h`;
  return plural(Math.round(seconds / 86_400), "day", "days");
}

function list(words: string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** Every word the page says, in English. */
export const en = {
  title: "gamut",
  tagline: "Board games with friends, strangers and bots. No account needed.",
  skip: "Skip to the content",
  list,

  nav: {
    home: "gamut, to the lobby",
    you: "You",
    logIn: "Log in",
    settings: "Settings",
    turnIn: (game: string) => `Your turn in ${game}`,
  },

  connection: {
    connecting: "Opening the hall",
    away: "Connection lost. Coming back; your seat is kept.",
    lostAnswer: "The connection was lost before the answer came. Look whether it worked before you try again.",
    unreachable: "The server does not answer. This page keeps trying.",
    notIn: (why: string) => `You are not in yet. ${why}`,
    notKept: "Your browser keeps no cookies for this page, so the server cannot know you. Please allow them.",
    loggedOut: "You were logged out.",
    tryAgain: "Try again",
    asGuest: "Go on as a guest",
  },

  error: {
    title: "Something went wrong",
    unexpected: "This should not have happened. Reload the page; your games are safe on the server.",
    notLoaded: "A part of this page could not be loaded. Your games are safe on the server.",
    unreachable: "The server does not answer. Try again in a moment.",
    notFound: "There is nothing at this address",
    notFoundHint: "The link may be old or mistyped. Everything starts in the lobby.",
    toLobby: "To the lobby",
    reload: "Reload",
  },

  lobby: {
    playBot: "Play a bot",
    inviteFriend: "Invite a friend",
    newTable: "New table",
    howTo: "How to play",
    strength: "How strong?",
    open: "Open tables",
    noneOpen: "No table waits for a player right now.",
    noneOpenHint: "Open one, and others will see it here at once.",
    noneMatching: "Nothing matches. Clear the filters to see everything.",
    clearFilters: "Clear the filters",
    running: "Being played",
    noneRunning: "Nobody is playing at this moment. Start a game against bots: others can watch it here.",
    finished: "Just finished",
    join: "Join",
    back: "Back to your game",
    search: "Search for a name",
    filter: "Filter",
    all: "All games",
    needsPlayer: "Needs a player",
    here: (count: number) => `${plural(count, "person", "people")} here`,
    loading: "Looking who is here",
    chat: "Lobby chat",
    chatEmpty: "Nobody has said anything yet. Say hello.",
    yourTables: "Your games",
    freeSeats: (count: number) => plural(count, "free seat", "free seats"),
    locked: "password",
    moreSeats: (count: number) => `and ${count} more`,
    needsSitIn: "Someone left; sit in",
    recent: (title: string) => `A recent game of ${title}`,
    emptySeat: "free",
  },

  files: {
    open: "Open a game file",
    title: "A game from a file",
    none: "Choose a game that was saved as a file, or drop it anywhere on this page.",
    drop: (endings: string[]) => `Drop a ${endings.join(" or ")} file to open it`,
    unknown: (endings: string[]) => `That is not a game file. Their names end in ${list(endings)}.`,
    suspended: "A suspended game",
    noResult: "A game without a result",
    resume: "Go on with this game",
    resumeHint: "At a new table, as it stood. Its seats are free for whoever sits down.",
  },

  password: {
    title: "This table has a password",
    field: "Password",
    sit: "Sit down",
    watchHint: "Who watches must know it, too.",
    watch: "Watch",
  },

  colours: {
    title: "Team colours",
    hint: "Each team keeps its own shape of pips too.",
    save: "Use these colours",
    usual: "The usual colours",
  },

  create: {
    title: (game: string) => `A table for ${game}`,
    game: "Game",
    players: "Players",
    seats: "Who sits there",
    you: "You",
    anyone: "Anyone",
    bot: (title: string) => `${title} bot`,
    clock: "Clock",
    start: "Begins",
    starts: { full: "when every seat is taken", ready: "when everyone is ready", host: "when I say so" },
    privacy: "Who may come",
    openTable: "Everyone sees it in the lobby",
    privateTable: "Only people with the link",
    watchable: "Others may watch",
    guardsWatching: "Who watches must know the password, too",
    password: "Password",
    passwordHint: "If you want one: who sits down must know it, unless they have the link.",
    options: "Rules",
    submit: "Open the table",
    change: "Change settings",
    changed: "Save the settings",
  },

  clock: {
    name: (clock: ClockSetting): string => {
      switch (clock.kind) {
        case "none":
          return "no clock";
        case "turn":
          return `${span(clock.limit)} a turn`;
        case "bank":
          return (clock.increment ?? 0) > 0
            ? `${span(clock.main)} + ${span(clock.increment ?? 0)}`
            : `${span(clock.main)} each`;
        case "overtime":
          return `${span(clock.main)}, then ${clock.periods} x ${span(clock.length)}`;
      }
    },
    kinds: {
      none: "No clock",
      turn: "Per turn",
      bank: "Per game",
      overtime: "With overtime",
    },
    kindHints: {
      none: "Take as long as you like.",
      turn: "So long for each turn; what is left over is lost.",
      bank: "So long for the whole game, with something added after each move.",
      overtime: "Main time, then periods that refill each turn.",
    },
    limit: "Seconds a turn",
    main: "Minutes",
    increment: "Seconds added",
    length: "Seconds a period",
    periods: "Periods",
    left: (name: string, face: string) => `${name} has ${face} left`,
    periodsLeft: (count: number) => `x ${count}`,
  },

  table: {
    loading: "Walking to the table",
    gone: "This table cannot be opened",
    noSuch: "There is no table at this address. It may have been closed before anyone played, or it is private: then open the whole link that its host gave you.",
    yourTurn: "Your turn",
    turnOf: (name: string) => `${name}'s turn`,
    turnsOf: (names: string[]) => `${list(names)} are to act`,
    waitingFor: (count: number) => `Waiting for ${plural(count, "player", "players")}`,
    waitingReady: "Waiting until everyone is ready",
    waitingHost: (name: string) => `${name} will start the game`,
    youStart: "Everyone is here. Start when you like.",
    seatWaits: "Waiting for somebody to sit in",
    kicked: "The host has asked you to leave this table. You can watch.",
    paused: "Paused",
    youWin: "You win",
    wins: (names: string[]) => `${list(names)} ${names.length === 1 ? "wins" : "win"}`,
    draw: "A draw",
    closed: "This table was closed without a result.",
    exported: "The host took this game away",
    export: "Export",
    exportSure:
      "Take the game away? You get it as a file, this table is closed, and with the file it can go on later.",
    emptySeat: "Free seat",
    toMove: "to move",
    you: "you",
    bot: "bot",
    host: "host",
    away: "away",
    ready: "ready",
    notReady: "not ready",
    offersDraw: "offers a draw",
    wantsRematch: "wants a rematch",
    moves: "Moves",
    noMoves: "No move yet.",
    live: "Back to now",
    behind: (number: number, of: number) => `You look at move ${number} of ${of}`,
    chat: "Chat",
    kibitz: "Watchers",
    table: "Table",
    chatEmpty: "Quiet so far.",
    kibitzEmpty: "Watchers talk here; players do not see it.",
    watchOnly: "Only players talk at the table. Watchers have a room of their own.",
    sayHere: "Say something",
    sayWatchers: "Say something to the other watchers",
    send: "Send",
    flagged: "out of time",
    quit: "resigned",
    agreed: "draw agreed",
    actions: "Actions",
    overtaken: "Something happened before your move arrived. Look again, and choose anew.",
    confirmMove: "Place it",
    undoMove: "Take back",
    sitHere: "Sit here",
    addBot: "Add a bot",
    leave: "Leave",
    leaveSure: "Leave the game? Your seat will wait for somebody else.",
    leaveQuits: "Leave the game? That gives it up.",
    resign: "Resign",
    resignSure: "Resign? The others win.",
    offerDraw: "Offer a draw",
    acceptDraw: "Accept the draw",
    declineDraw: "Decline",
    pause: "Pause",
    resume: "Go on",
    start: "Start",
    imReady: "I'm ready",
    notYet: "Not yet",
    rematch: "Rematch",
    rematchAsked: "Rematch asked",
    toRematch: "To the rematch",
    newGame: "Back to the lobby",
    kick: "Ask to leave",
    kickSure: (name: string) => `Ask ${name} to leave? They cannot come back to this table.`,
    removeBot: "Remove the bot",
    promote: "Make host",
    copyInvite: "Copy invite link",
    copied: "Link copied",
    copyTitle: "Copy this link",
    copyLink: "Link",
    copyHint: "It is selected: press Ctrl+C, on a Mac Command+C, or hold your finger on it.",
    inviteHint: "Whoever opens this link gets a seat.",
    settingsClock: "Clock",
    settingsStart: "Begins",
    settingsPrivacy: "Who may come",
    openToAll: "everyone",
    onlyLink: "people with the link",
    locked: "with a password",
    zoomIn: "Larger tiles",
    zoomOut: "The whole board",
    previous: "Previous game",
    no: "No",
    more: "More",
    close: "Close",
    unread: (count: number) => plural(count, "new message", "new messages"),
    played: (name: string, move: string) => `${name}: ${move}`,
    watchingAs: "You are watching",
    watching: (count: number) => `${count} watching`,
    watchedBy: "Watched by",
    moreWatchers: (count: number) => `and ${count} more`,
    notifyTitle: "Your turn",
    notifyBody: (game: string) => `It is your turn in ${game}.`,
    muted: "Sounds are off",
    sounds: "Sounds are on",
  },

  happened: {
    sat: (name: string) => `${name} sits down.`,
    stood: (name: string, why: string) =>
      why === "kicked"
        ? `${name} was asked to leave.`
        : why === "gone"
          ? `${name} stayed away; the seat is free.`
          : why === "removed"
            ? `${name} was sent off.`
            : `${name} leaves.`,
    dropped: (name: string) => `${name} lost the connection. The seat is kept.`,
    returned: (name: string) => `${name} is back.`,
    started: "The game begins.",
    paused: "The game is paused.",
    resumed: "The game goes on.",
    host: (name: string) => `${name} is host now.`,
    drawOffered: (name: string) => `${name} offers a draw.`,
    drawDeclined: (name: string) => `${name} declines the draw.`,
    rematch: (name: string) => `${name} would play again.`,
    woken: "The server was away for a moment. Nobody lost time.",
    closed: "The table is closed.",
    exported: "The host took the game away as a file.",
    decorated: "The host chose other colours.",
    configured: "The host changed the settings.",
    won: (reason: string, squares: string[]) => `${reason}: ${squares.join("; ")}.`,
  },

  review: {
    title: (game: string) => `A game of ${game}`,
    first: "First position",
    back: "One move back",
    next: "One move on",
    last: "Last position",
    play: "Play",
    stop: "Stop",
    slider: "Position",
    at: (number: number, of: number) => `${number} of ${of}`,
    share: "Copy link",
    download: "Download",
    keys: "Arrow keys step, space plays, Home and End jump.",
  },

  board: {
    turn: "Turn the board (F)",
    square: (name: string, what: string, how: "none" | "plays" | "leads" | "picked") =>
      `${name}: ${what}${{ none: "", plays: ", you can play here", leads: ", you can pick this", picked: ", picked" }[how]}`,
    picking: (picked: string[], next: string[]) =>
      `Picked: ${list(picked)}. ${next.length > 8 ? `${next.length} ways to go on.` : `Next: ${next.join("; ")}.`}`,
    controls: "What to choose from",
    done: "Done",
    undo: "Take back",
  },

  people: {
    logIn: "Log in",
    logInTitle: "Welcome back",
    register: "Register",
    registerTitle: "Keep your name",
    registerHint: "You stay the same person: your games and seats come with you.",
    name: "Name",
    password: "Password",
    newPassword: "New password",
    oldPassword: "Old password",
    passwordHint: "8 characters or more.",
    noAccount: "No account yet? Register",
    haveAccount: "Have an account? Log in",
    logOut: "Log out",
    logOutEverywhere: "Log out everywhere",
    loggedOut: "You are logged out.",
    rename: "Change your name",
    renamed: (name: string) => `You are ${name} now.`,
    save: "Save",
    guestHint: "You play as a guest. Register to keep your name and your games on every device.",
    changePassword: "Change password",
    passwordChanged: "Your password is changed, and other devices are logged out.",
    profile: "Your games",
    noGames: "No finished game yet.",
    noGamesHint: "Play one, and it will be listed here.",
    results: (played: number, won: number, drawn: number) =>
      `${plural(played, "game", "games")}, ${won} won${drawn > 0 ? `, ${drawn} drawn` : ""}`,
    won: "Won",
    lost: "Lost",
    drawn: "Drawn",
    unfinished: "In progress",
    export: "Download everything stored about me",
    delete: "Delete me",
    deleteHint: "Your name becomes free, your sessions end. What you played stays, by a former player.",
    deleteConfirm: "Delete me for good",
    deleted: "You are deleted. A new guest name was made for this browser.",
    data: "Your data",
    account: "Account",
  },

  settings: {
    title: "Settings",
    theme: "Light or dark",
    themes: { system: "Like the system", light: "Light", dark: "Dark" },
    sounds: "Sounds",
    soundsHint: "A click for a move, two notes for your turn, a chord for the end.",
    board: "Board colours",
    boards: { paper: "Paper", wood: "Wood", slate: "Slate" },
    confirm: "Ask before a move is sent",
    confirmHint: "Choose a place, then press again to send it.",
    notify: "Notifications when it is your turn",
    notifyDenied: "Your browser does not allow notifications from this page.",
    notifyNeedsHttps: "Browsers offer them only on pages that come over https. This one does not.",
    notifyUnknown: "This browser does not offer them on pages like this one.",
  },

  play: {
    title: (game: string) => `How to play ${game}`,
    short: "In short",
    full: "In full",
    keyboard: "With the keyboard",
    tryIt: "Try it against bots",
  },

  keys: {
    title: "Keyboard help",
    list: [
      ["Tab", "to the board and out of it"],
      ["Arrow keys", "from square to square"],
      ["Page up, page down", "one part of the board up or down"],
      ["Enter or space", "play there"],
      ["Escape", "take back what was picked last"],
      ["F", "turn the board, where that helps"],
      ["Arrow left, right", "in a review: one move back or on"],
      ["Space", "in a review: play or stop"],
      ["Home, End", "in a review: first or last position"],
      ["?", "this help"],
    ] as [string, string][],
  },

  games: {
    topple,
    tower: {
      board: "Tower, three rings of eight tiles",
      tile: (level: number, row: number, column: number) => {
        const ring = ["upper ring", "middle ring", "lower ring"][level] ?? "";
        const place = [
          ["back left", "back", "back right"],
          ["left", "", "right"],
          ["front left", "front", "front right"],
        ][row]?.[column];
        return `${ring}, ${place ?? ""}`;
      },
      short: (tile: number) => `${"ABC"[Math.floor(tile / 8)] ?? ""}${(tile % 8) + 1}`,
      empty: "empty",
      marked: (mark: string) => mark,
      placed: (mark: string, place: string) => `${mark} on ${place}`,
      reasons: { line: "Three in a line", full: "The tower is full" } as Record<string, string>,
      shortRules: [
        "Three players share a tower of three rings, eight tiles each.",
        "On your turn you put your mark on any empty tile.",
        "Three of your marks in a straight line win at once.",
      ],
      lines: "Lines run along the edges of a ring, straight down a column, and diagonally across an outer face. Nothing goes through the hollow middle: there are 28 lines in all.",
      pictures: {
        edge: "Along an edge of one ring.",
        column: "Straight down, one tile on each ring.",
        face: "Diagonally across an outer face: a corner, the middle of that side one ring on, the opposite corner.",
      },
      fullRules: [
        "The seats have the marks X, O and J, and play in that order, X first.",
        "A mark never moves and is never removed. There is no passing.",
        "The first to have three own marks on a line wins. If one mark completes two lines, one of them is shown.",
        "If all 24 tiles are filled without a line, the game is a draw.",
        "If somebody leaves, the game waits until another person or a bot sits in, with the same mark and turn.",
        "If your clock runs out, a mark is put on a random empty tile for you.",
      ],
      advice: "Two opponents can block you, but each of them would rather not spend the turn. Look at what the next player must do before you do it for them.",
    },
  },

  seat: (seat: Seat) => `Seat ${seat + 1}`,
};
