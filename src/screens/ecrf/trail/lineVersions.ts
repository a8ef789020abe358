import { use } from 'react'
import type { AuditLine } from '#core/api/calls/sync.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import { useVersionsById } from '#src/data/hooks/projects.ts'
import type { UnsentTrailLine } from '#src/data/shapes/trailTypes.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'

import type { TrailReader, TrailVersions } from './trailLine.ts'

/** Finds the versions that name the fields of a log's lines: a code may belong to another field by now. */

type Line = Pick<AuditLine, 'versionId' | 'fieldVersionId' | 'former'> | UnsentTrailLine

/** The version whose names a line uses; null where the line says none. */
export function versionOfLine(line: Line): string | null {
  return ('fieldVersionId' in line ? line.fieldVersionId : undefined) ?? line.versionId
}

/** The same, with the version of the former value where a release has rewritten it. */
function versionsOfLine(line: Line): readonly string[] {
  return [versionOfLine(line), 'former' in line ? line.former?.versionId : undefined].flatMap((id) => id ?? [])
}

/** The versions of the lines that are shown; null while they are being read. */
export function useLineVersions(reader: TrailReader, lines: readonly Line[]): TrailVersions | null {
  const ids = olderThan(reader, lines)
  const read = useVersionsById(reader.projectId, ids)
  if (ids.length > 0 && read.state === 'loading') return null
  return byId(reader, read.state === 'ready' ? read.value : [])
}

/** Reads the versions of lines that go into a file. */
export function useReadLineVersions(reader: TrailReader): (lines: readonly Line[]) => Promise<TrailVersions> {
  const device = use(DeviceContext)
  return async (lines) => {
    const ids = olderThan(reader, lines)
    const read = device === null || ids.length === 0 ? null : await device.versionsById(reader.projectId, ids)
    return byId(reader, read?.ok === true ? read.value : [])
  }
}

function olderThan({ current }: TrailReader, lines: readonly Line[]): readonly string[] {
  return [...new Set(lines.flatMap(versionsOfLine))].filter((id) => id !== current.id).toSorted()
}

function byId({ current }: TrailReader, versions: readonly VersionRow[]): TrailVersions {
  return new Map([current, ...versions].map((version) => [version.id, version]))
}
