import { connection } from "../state/connection.js";
import { language, texts } from "../state/language.js";
import { shortTime } from "../words/time.js";

const words = texts(
  {
    connecting: "Connecting…",
    live: "Connected",
    hidden: "Paused in the background",
    "cut off": "Disconnected",
    "logged out": "Logged out",
    cut: (since: string, address: string) =>
      `No connection to ${address} since ${since}. What you see may be old. This page goes on by itself when the server answers.`,
    session: "This browser has no session of the console here, or it has ended. Run this command for a new link:",
  },
  {
    connecting: "Conectando…",
    live: "Conectado",
    hidden: "Em pausa no fundo",
    "cut off": "Desconectado",
    "logged out": "Sessão encerrada",
    cut: (since, address) =>
      `Sem conexão com ${address} desde ${since}. O que você vê pode estar desatualizado. A página continua sozinha quando o servidor responder.`,
    session: "Este navegador não tem uma sessão do console aqui, ou ela terminou. Rode este comando para um novo link:",
  },
);

/** A connection that is well is a dot; one that is not has a word. */
export function ConnectionMark() {
  const { state } = connection.current.value;
  const isCut = state === "cut off" || state === "logged out";
  return (
    <span
      class={`connection connection-${isCut ? "cut" : state}`}
      role="img"
      aria-label={words.value[state]}
      title={words.value[state]}
    >
      {isCut ? words.value[state] : null}
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
