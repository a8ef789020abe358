import * as z from 'zod/mini'
import { id, prop, text } from '#core/wire/shapes.ts'

/**
 * What a person says of fields and choices that a new version does not have under their old codes. Whatever nobody says
 * goes by codes.
 */

/**
 * A field of a page, or a column of a table, that has another code now. Of a column `table` is the table's code before.
 */
export const fieldMapping = z.object({ pageId: id, table: z.nullable(prop), from: prop, to: prop })
export type FieldMapping = z.infer<typeof fieldMapping>

/**
 * A choice that is written down otherwise now. The field is named as it was; steps of a way down are joined by ` › `.
 */
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
