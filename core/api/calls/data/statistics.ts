import * as z from 'zod/mini'
import { dataCell } from '#core/api/calls/data/dataset.ts'
import { defineCall } from '#core/api/call.ts'
import { dataSetDefinition } from '#core/dataset/definition.ts'
import { variableRoles, variableTypes } from '#core/dataset/table.ts'
import { id, instant } from '#core/wire/shapes.ts'

/** What statistics are made of: de-identified columns of a data set (docs/adr/0053-statistics-screen.md). */

const STATISTICS = 'server/areas/statistics'

/** Most variables that one analysis asks for, and most that come back in one answer. */
export const MOST_COLUMNS = 24
export const MOST_ROWS = 200_000
export const MOST_CELLS = 2_000_000

const variable = {
  name: z.string(),
  label: z.string(),
  type: z.enum(variableTypes),
  unit: z.nullable(z.string()),
  decimals: z.nullable(z.int()),
  /** The closed list of its values; of `visit` the visits in the order of the casebook. */
  codes: z.array(z.object({ code: z.string(), label: z.string() })),
}

const statisticsTable = z.object({
  name: z.string(),
  label: z.string(),
  variables: z.array(z.object({ ...variable, role: z.enum(variableRoles) })),
})
export type StatisticsTable = z.infer<typeof statisticsTable>
export type StatisticsVariable = StatisticsTable['variables'][number]

const statisticsTables = z.object({ subjects: z.int(), tables: z.array(statisticsTable) })
export type StatisticsTables = z.infer<typeof statisticsTables>

const statisticsColumns = z.object({
  /** The instant that was read. */
  at: instant,
  rows: z.int(),
  /** In the order in which they were asked for, each with a cell for every row. */
  columns: z.array(z.object({ ...variable, cells: z.array(dataCell) })),
})
export type StatisticsColumns = z.infer<typeof statisticsColumns>

/** A name of a variable; of a subject's own beside those of another table `subjects.` stands before it. */
const variableName = z.string().check(z.regex(/^(?:subjects\.)?[A-Za-z][A-Za-z0-9_]{0,199}$/))

const definition = dataSetDefinition

const ERRORS = ['not_found', 'forbidden', 'invalid', 'too_much_work'] as const

export const statisticsCalls = [
  defineCall({
    id: 'statistics.tables',
    area: 'statistics',
    method: 'POST',
    write: false,
    path: '/edc/data/statistics/tables',
    summary: 'The tables that a de-identified data set in the long shape makes, with their variables and no row.',
    body: z.object({ projectId: id, definition }),
    data: statisticsTables,
    permission: 'export',
    errors: ERRORS,
    servedBy: STATISTICS,
  }),
  defineCall({
    id: 'statistics.columns',
    area: 'statistics',
    method: 'POST',
    write: false,
    path: '/edc/data/statistics/columns',
    summary:
      'Columns of a table of a de-identified data set, with what is told of each row’s subject where it is asked for.',
    body: z.object({
      projectId: id,
      definition,
      table: z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9_]{0,199}$/)),
      variables: z.array(variableName).check(z.minLength(1), z.maxLength(MOST_COLUMNS)),
    }),
    data: statisticsColumns,
    permission: 'export',
    errors: ERRORS,
    servedBy: STATISTICS,
  }),
] as const
