import type { ComponentType } from "preact";
import { useLocation } from "preact-iso/router";
import { Snapshots } from "../snapshots/index.js";
import { Survive } from "../survive/index.js";
import { Record } from "./record.js";
import { Run } from "./run.js";

const VIEWS: Readonly<Record<string, ComponentType>> = { record: Record, snapshots: Snapshots, survive: Survive };

/** Scenarios to run, the recording of this tab, the saved states, and the run of `qa-pay survive`: views of one page. */
export function Scenarios() {
  const View = VIEWS[useLocation().query.view ?? ""] ?? Run;
  return <View />;
}
