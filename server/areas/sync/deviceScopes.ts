import { boundFigure } from '#server/areas/auth/device.ts'

/** How devices are tied to projects and centers, as SQL: by the scopes of their keys and of their unsent work. */

/** SQL: parts of a scope, as texts; a project's own scope has neither center nor pass, which are ''. */
export const projectOf = (scope: string): string => partOf(scope, 1)
export const centerOf = (scope: string): string => partOf(scope, 2)
export const passOf = (scope: string): string => partOf(scope, 3)

function partOf(scope: string, at: number): string {
  return `split_part(${scope}, '/', ${at})`
}

/**
 * SQL: what a device `d` last said that it had not sent: how much (`unsent`), and since when (`oldest`).
 *
 * @param isMeant a condition on the scope of what is unsent
 */
export function unsentSql(isMeant: (scope: string) => string): string {
  return `
    SELECT
      ${boundFigure(`sum((s->>'count')::numeric)`)} AS unsent,
      min(s->>'oldest') FILTER (WHERE (s->>'count')::numeric > 0) AS oldest
    FROM jsonb_array_elements(d.report->'unsent') AS s WHERE ${isMeant(`(s->>'scope')`)}`
}
