import { use } from 'react'
import type { AuditLine } from '#core/api/calls/sync.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import { useVersionsById } from '#src/data/hooks/projects.ts'
import type { UnsentTrailLine } from '#src/data/shapes/trailTypes.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'

import type { TrailReader, TrailVersions } from './trailLine.ts'

/** Versions in whose words the lines of a log name their fields: a code may be another field's by now. */

type Line = Pick<AuditLine, 'versionId' | 'fieldVersionId' | 'former'> | UnsentTrailLine

/** The version in whose words a line is; null where it says none. */
export function versionOfLine(line: Line): string | null {
  return ('fieldVersionId' in line ? line.fieldVersionId : undefined) ?? line.versionId
}

/** And of its old value, where a release wrote that down otherwise. */
function versionsOfLine(line: Line): readonly string[] {
  return [versionOfLine(line), 'former' in line ? line.former?.versionId : undefined].flatMap((id) => id ?? [])
}

/** The versions of lines that are shown; null while they are being read. */
export function useLineVersions(reader: TrailReader, lines: readonly Line[]): TrailVersions | null {
  const ids = olderThan(reader, lines)
  const read = useVersionsById(reader.projectId, ids)
  if (ids.length > 0 && read.state === 'loading') return null
  return byId(reader, read.state === 'ready' ? read.value : [])
}

/** The same for lines that are written to a file. */
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
