import { isId } from '#core/ids.ts'

/**
 * Scope: the unit of download, of the pull cursor and of the device's keys. It is either what is common to a project,
 * or the data of one center in one entry pass.
 */
export type Scope =
  | { readonly kind: 'project'; readonly projectId: string }
  | { readonly kind: 'center'; readonly projectId: string; readonly centerId: string; readonly pass: 1 | 2 }

/** A scope as text, for keys of rows and for the wire: `projectId` or `projectId/centerId/pass`. */
export function scopeText(scope: Scope): string {
  return scope.kind === 'project' ? scope.projectId : `${scope.projectId}/${scope.centerId}/${scope.pass}`
}

/** Reads a scope from its text. Null for other text. */
export function parseScope(text: string): Scope | null {
  const [projectId, centerId, pass, more] = text.split('/')
  if (projectId === undefined || !isId(projectId) || more !== undefined) return null
  if (centerId === undefined) return { kind: 'project', projectId }
  if (!isId(centerId) || (pass !== '1' && pass !== '2')) return null
  return { kind: 'center', projectId, centerId, pass: pass === '1' ? 1 : 2 }
}

/**
 * The scopes that are needed to read a scope: the scope itself, and its project's common one, which defines the pages.
 * None for text that is no scope.
 */
export function scopesFor(scope: string): readonly string[] {
  const parsed = parseScope(scope)
  if (parsed === null) return []
  return parsed.kind === 'project' ? [scope] : [scopeText({ kind: 'project', projectId: parsed.projectId }), scope]
}
