// Owns the connection: the event stream, its watchdog, and the actions. Knows nothing of what a document says but its
// version.
//
// The stream brings every change at once. A browser does not tell a page about heartbeats, so the watchdog asks for the
// pulse (version and age of the board's last word) instead: it notices a server that went away, a stream that hangs,
// and a server that had no free stream, and brings the state itself until the stream is back.

const PULSE_MS = 4000; // how stale the age of the board's last word may look
const PULSE_LIMIT_MS = 3000; // on a home network a pulse takes a few ms
const REOPEN_MS = 5000; // what a refused stream waits: the server says Retry-After 5
// When a page is looked at again after its device slept: nothing it shows can be believed before it has asked.
const WAKES = [
  [document, "visibilitychange"],
  [document, "resume"],
  [window, "pageshow"],
  [window, "online"],
];

// Begins to follow the table. What it returns asks for the pulse at once.
export function connect({ show, online, age }) {
  let source = null;
  let version = null;
  let behind = 0;

  function take(text, isFresh) {
    const doc = JSON.parse(text);
    if (!isFresh && version !== null && doc.version <= version) return;
    version = doc.version;
    behind = 0;
    age(doc.link ? doc.link.silent_ms : null);
    show(doc);
  }

  function open() {
    if (source) source.close();
    const mine = (source = new EventSource("/api/events"));
    let isFirst = true;
    mine.addEventListener("open", () => {
      isFirst = true;
      online(true);
    });
    mine.addEventListener("message", (event) => {
      take(event.data, isFirst);
      isFirst = false;
      online(true);
    });
    mine.addEventListener("error", () => {
      pulse();
      if (mine.readyState === EventSource.CLOSED && mine === source) {
        setTimeout(() => mine === source && open(), REOPEN_MS);
      }
    });
  }

  async function pulse() {
    try {
      const seen = version;
      const now = await get("/api/pulse");
      age(now.silent_ms);
      if (now.version !== null && now.version !== version) {
        const response = await fetch("/api/state", { cache: "no-store", signal: AbortSignal.timeout(PULSE_LIMIT_MS) });
        const text = await response.text();
        const isOvertaken = version !== seen;
        behind += 1;
        if (response.ok && !isOvertaken) take(text, true);
        // Twice behind although open: the stream hangs.
        if (behind > 1 && source.readyState === EventSource.OPEN) open();
      }
      online(true);
    } catch {
      online(false);
    }
  }

  open();
  setInterval(pulse, PULSE_MS);
  for (const [target, name] of WAKES) target.addEventListener(name, () => document.hidden || pulse());
  return pulse;
}

export async function get(path) {
  const response = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(PULSE_LIMIT_MS) });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

// Does an action. `body` is what the table answered; `text` the line that says why it was not done, else null.
export async function ask(action, body = {}) {
  try {
    const response = await fetch(`/api/${action}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (response.ok) return { isDone: true, status: response.status, body: answer, text: null };
    return { isDone: false, status: response.status, body: answer, text: sentence(answer.text || answer.reason || "The table refused this.") };
  } catch {
    return { isDone: false, status: 0, body: {}, text: "The table did not answer." };
  }
}

// A line of the table as a sentence of its own.
function sentence(text) {
  const line = String(text);
  return line.charAt(0).toUpperCase() + line.slice(1) + (/[.?!…]$/.test(line) ? "" : ".");
}

// Does an action; answers null when done, or the line that says why not.
export async function post(action, body = {}) {
  return (await ask(action, body)).text;
}
