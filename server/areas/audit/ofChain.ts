/**
 * Condition on `project_id` that the rows of one chain meet: a project's, or with null the system's. Its parameter
 * comes last.
 */
export function ofChain(projectId: string | null, parameter: number, table = ''): string {
  return projectId === null ? `${table}project_id IS NULL` : `${table}project_id = $${parameter}`
}

export function chainParameter(projectId: string | null): readonly string[] {
  return projectId === null ? [] : [projectId]
}
