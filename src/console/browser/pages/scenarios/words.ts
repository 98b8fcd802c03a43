// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts name the characters of a reference
import { texts } from "../../state/language.js";

export const words = texts(
  {
    trigger: "Make an event happen",
    trigger_text: "By real objects that reach its state.",
    event: "Event",
    go: "Trigger",
    fixtures: "Scripts",
    run: "Run",
    steps: "What ran",
    running: "Running…",
    all_done: "All steps were carried out.",
    stopped: "The script stopped at the step that was refused.",
    answer: "Answer",
    recorder: "Recorder",
    recorder_empty: "What you do in this tab stands here, to be copied as a script, a fixture or a test.",
    count: (count: number) => (count === 1 ? "1 action in this tab" : `${count} actions in this tab`),
    again: "Run again",
    forget: "Forget",
    script: "Script for bash",
    fixture: "Fixture",
    test: "Vitest test",
    run_fixture: "Save it as done.json, then:",
    left_out: (count: number) =>
      count === 1
        ? "1 action is left out of the fixture: it needs a login, or has a text with ${."
        : `${count} actions are left out of the fixture: they need a login, or have a text with \${.`,
    title: "What was done in the console",
  },
  {
    trigger: "Fazer um evento acontecer",
    trigger_text: "Por objetos reais que chegam ao seu estado.",
    event: "Evento",
    go: "Disparar",
    fixtures: "Roteiros",
    run: "Executar",
    steps: "O que foi executado",
    running: "Executando…",
    all_done: "Todos os passos foram executados.",
    stopped: "O roteiro parou no passo recusado.",
    answer: "Resposta",
    recorder: "Gravador",
    recorder_empty: "Aqui fica o que você faz nesta aba, para copiar como script, fixture ou teste.",
    count: (count) => (count === 1 ? "1 ação nesta aba" : `${count} ações nesta aba`),
    again: "Executar de novo",
    forget: "Esquecer",
    script: "Script para bash",
    fixture: "Fixture",
    test: "Teste Vitest",
    run_fixture: "Salve como done.json e rode:",
    left_out: (count) =>
      count === 1
        ? "1 ação fica fora da fixture: precisa de login ou tem um texto com ${."
        : `${count} ações ficam fora da fixture: precisam de login ou têm um texto com \${.`,
    title: "O que foi feito no console",
  },
);
