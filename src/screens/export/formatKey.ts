import type { DataFormatId } from '#core/dataset/formats.ts'

type WithoutDots<Id extends string> = Id extends `${infer Before}.${infer After}`
  ? `${Before}-${WithoutDots<After>}`
  : Id

/** The key of a format among the texts of the app, where a dot parts keys. */
export function formatKey<Id extends DataFormatId>(id: Id): WithoutDots<Id> {
  return id.replaceAll('.', '-') as WithoutDots<Id>
}
