import { ID_PREFIX } from "../../base/kernel/ids.js";
import type { Controls } from "./control-interface.js";
import type { LiveStream } from "./live-stream.js";

/**
 * Controls that send a message to the stream of everything for each change. The stream reads the clock from the
 * history.
 */
export function withPublishing(controls: Controls, publish: LiveStream["publish"]): Controls {
  const { faults, chaos, snapshots } = controls;
  const announce = (kind: string, data: Readonly<Record<string, unknown>>) => publish({ bookId: null, kind, data });
  const announceFault = (change: string, id: string | null) =>
    announce("fault", { id: id === null ? null : ID_PREFIX.fault + id, change });
  return {
    ...controls,
    faults: {
      list: () => faults.list(),
      add(given) {
        const rule = faults.add(given);
        announceFault("added", rule.id);
        return rule;
      },
      remove(id) {
        const isRemoved = faults.remove(id);
        if (isRemoved) announceFault("removed", id);
        return isRemoved;
      },
      clear() {
        faults.clear();
        announceFault("cleared", null);
      },
    },
    chaos: {
      change(given) {
        const settings = chaos.change(given);
        if (Object.values(given).some((value) => value !== undefined)) announce("chaos", { ...settings });
        return settings;
      },
    },
    snapshots: {
      ...snapshots,
      async save(name) {
        const saved = await snapshots.save(name);
        announce("snapshot", { name: saved.name, change: "saved" });
        return saved;
      },
      async restore(name, cause) {
        const restored = await snapshots.restore(name, cause);
        announce("snapshot", { name: restored.name, change: "restored" });
        return restored;
      },
    },
  };
}
