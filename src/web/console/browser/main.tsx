import "./state/session.js";
import "./style/main.css";
import { render } from "preact";
import { startLive } from "./api/live.js";
import { App } from "./app.js";
import { startClock } from "./state/clock.js";
import { language } from "./state/language.js";
import { density, theme } from "./state/looks.js";
import { loadTexts } from "./texts/index.js";

await loadTexts(language.value);
theme.apply();
density.apply();
document.documentElement.lang = language.value;
const place = document.getElementById("app");
if (place !== null) render(<App />, place);
startLive();
startClock();
