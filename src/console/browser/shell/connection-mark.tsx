import { connection } from "../state/connection.js";
import { language, texts } from "../state/language.js";
import { shortTime } from "../words/time.js";

const words = texts(
  {
    connecting: "connecting",
    live: "live",
    hidden: "paused in the background",
    "cut off": "cut off",
    "logged out": "logged out",
    cut: (since: string, address: string) =>
      `No connection to ${address} since ${since}. What you see may be old. This page goes on by itself when the server answers.`,
    session:
      "The session of this page has ended, because the server was started again. Run this command for a new link:",
  },
  {
    connecting: "conectando",
    live: "ao vivo",
    hidden: "em pausa no fundo",
    "cut off": "sem conexão",
    "logged out": "sessão encerrada",
    cut: (since, address) =>
      `Sem conexão com ${address} desde ${since}. O que você vê pode estar desatualizado. A página continua sozinha quando o servidor responder.`,
    session:
      "A sessão desta página terminou, porque o servidor foi iniciado de novo. Rode este comando para um novo link:",
  },
);

const TONES = { live: "good", connecting: "plain", hidden: "plain", "cut off": "bad", "logged out": "bad" } as const;

/** The state of the connection in a word, in the head of the page. */
export function ConnectionMark() {
  const { state } = connection.current.value;
  const tone = TONES[state];
  return (
    <span class={`status status-${tone} connection`}>
      <span aria-hidden="true">{tone === "bad" ? "○" : "●"}</span> {words.value[state]}
    </span>
  );
}

/** What to do while there is no connection. Everything that was read stays readable. */
export function ConnectionBanner() {
  const current = connection.current.value;
  if (!("since" in current)) return <div role="status" />;
  return (
    <div role="status" class="banner">
      {current.state === "logged out" ? (
        <>
          {words.value.session} <code>qa-pay console</code>
        </>
      ) : (
        <>
          {words.value.cut(shortTime(current.since, language.value), location.host)} <code>qa-pay console</code>
        </>
      )}
    </div>
  );
}
