// A field for files: chosen, or dropped on it, also whole folders.
import { useState } from "preact/hooks";
import type { DroppedFile } from "../format/project.ts";

/** More is no project. */
const MAX_FILES = 2000;
const WANTED = /\.(sol|json)$/;

const withText = async (name: string, file: File): Promise<DroppedFile> => ({
  name,
  text: await file.text(),
});

/** The files of what was dropped, folder by folder. */
async function filesIn(entry: FileSystemEntry, found: DroppedFile[]): Promise<void> {
  if (found.length >= MAX_FILES) return;
  if (entry.isFile && WANTED.test(entry.name)) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    found.push(await withText(entry.fullPath.replace(/^\//, ""), file));
  }
  if (!entry.isDirectory) return;
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0) return;
    for (const one of entries) await filesIn(one, found);
  }
}

interface DropFilesProps {
  readonly label: string;
  readonly onFiles: (files: readonly DroppedFile[]) => void;
  readonly onError: (error: unknown) => void;
}

export function DropFiles({ label, onFiles, onError }: DropFilesProps) {
  const [isOver, setOver] = useState(false);
  const choose = (list: FileList | null) =>
    Promise.all(
      [...(list ?? [])].map((file) => withText(file.webkitRelativePath || file.name, file)),
    ).then(onFiles, onError);
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const entries = [...(event.dataTransfer?.items ?? [])].flatMap(
      (item) => item.webkitGetAsEntry() ?? [],
    );
    const found: DroppedFile[] = [];
    try {
      for (const entry of entries) await filesIn(entry, found);
      onFiles(found);
    } catch (error) {
      onError(error);
    }
  };
  return (
    <label
      class={isOver ? "drop over" : "drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <span>{label}</span>
      <input
        type="file"
        name="files"
        multiple
        accept=".sol,.json"
        onChange={(event) => choose(event.currentTarget.files)}
      />
    </label>
  );
}
