import * as z from 'zod/mini'
import { id, prop, text } from '#core/wire/shapes.ts'

/**
 * A person's mappings for fields and choices that a new version does not have under their old codes. Where there is no
 * mapping, codes decide.
 */

/**
 * A field of a page, or a column of a table, that has another code now. For a column, `table` is the old code of the
 * table.
 */
export const fieldMapping = z.object({ pageId: id, table: z.nullable(prop), from: prop, to: prop })
export type FieldMapping = z.infer<typeof fieldMapping>

/** A choice that is written in another way now. The field has its old name; the steps of a path are joined by ` › `. */
export const choiceMapping = z.object({
  pageId: id,
  table: z.nullable(prop),
  code: prop,
  from: text(4000),
  to: text(4000),
})
export type ChoiceMapping = z.infer<typeof choiceMapping>

export const migrationMappings = z.object({
  fields: z.array(fieldMapping).check(z.maxLength(5000)),
  choices: z.array(choiceMapping).check(z.maxLength(20_000)),
})
export type MigrationMappings = z.infer<typeof migrationMappings>

export const NO_MAPPINGS: MigrationMappings = { fields: [], choices: [] }
