/**
 * SQL condition on `project_id` for the rows of one chain: a project's, or with null the system's. Its parameter is
 * the last one.
 */
export function ofChain(projectId: string | null, parameter: number, table = ''): string {
  return projectId === null ? `${table}project_id IS NULL` : `${table}project_id = $${parameter}`
}

export function chainParameter(projectId: string | null): readonly string[] {
  return projectId === null ? [] : [projectId]
}
