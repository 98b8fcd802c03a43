import { connection } from "../state/connection.js";

interface FileButtonProps {
  readonly label: string;
  readonly multiple?: boolean;
  readonly accept?: string;
  /** Called with the chosen files. They can be chosen once more when it is done. */
  readonly onFiles: (files: readonly File[]) => Promise<void> | void;
}

/** Chooses files. The browser's own button uses the browser's language, so it is hidden in one of ours. */
export function FileButton({ label, multiple = false, accept, onFiles }: FileButtonProps) {
  return (
    <label class="button file-button">
      {label}
      <input
        class="visually-hidden"
        type="file"
        multiple={multiple}
        accept={accept}
        disabled={!connection.isWorking}
        onChange={async ({ currentTarget }) => {
          await onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = "";
        }}
      />
    </label>
  );
}
