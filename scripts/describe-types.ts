// Writes the description of every field of a record into the built types, so that editors show it:
// TypeScript leaves comments out when it writes the type of a constant.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { fieldDescriptions } from "./field-descriptions.ts";

const record = /^declare const (\w+): z\.ZodMiniObject<\{\n(.*?)^\}/gms;

for (const path of globSync("dist/**/*.d.{ts,cts}")) {
  const types = readFileSync(path, "utf8");
  const described = types.replaceAll(record, (whole: string, name: string, fields: string) => {
    const descriptions = fieldDescriptions(name);
    const commented = fields.replaceAll(/^ {4}(\w+):/gm, (field: string, key: string) =>
      descriptions[key] ? `    /** ${descriptions[key]} */\n${field}` : field,
    );
    return whole.replace(fields, () => commented);
  });
  if (described !== types) writeFileSync(path, described);
}
