import { useCallback } from 'react'
import type { Region } from '#core/api/calls/attachment.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { FieldAddress } from '#core/form/definition/address.ts'
import type { Rect } from '#core/files/region.ts'
import { newId } from '#core/ids.ts'
import type { Result } from '#core/result.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'
import { useNeedsServer } from '#src/frame/shell/useNeedsServer.ts'

/** The regions of a picture, as far as they are known, and what changes them. */
export interface Regions {
  readonly regions: readonly Region[]
  /** Why the regions could not be read; null while they are read, or being read. */
  readonly failed: ApiError | null
  /** Whether the server can be asked; only the server keeps regions. */
  readonly isOnline: boolean
  /** Draws a new region, or changes `before`. */
  readonly save: (
    before: Region | null,
    place: FieldAddress,
    rect: Rect,
    note: string,
  ) => Promise<Result<Region, ApiError>>
  readonly takeBack: (region: Region, reason: string) => Promise<Result<boolean, ApiError>>
}

/** The regions of a picture. */
export function useRegions(projectId: string, fileId: string): Regions {
  const found = useServerQuery('attachment.regions', { params: { id: fileId }, projectId })
  const act = useServerAction()
  const needs = useNeedsServer()
  const save = useCallback<Regions['save']>(
    (before, { table, rid, code }, rect, note) =>
      act('attachment.regionSave', {
        params: { id: fileId },
        projectId,
        body: {
          regionId: before?.regionId ?? newId(),
          rev: before?.rev ?? null,
          table,
          rid,
          code,
          rect: { ...rect },
          note,
        },
      }),
    [act, projectId, fileId],
  )
  const takeBack = useCallback<Regions['takeBack']>(
    ({ regionId }, reason) =>
      act('attachment.regionRemove', { params: { id: fileId }, projectId, body: { regionId, reason } }),
    [act, projectId, fileId],
  )
  return {
    regions: found.state === 'ready' ? found.value : NONE,
    failed: found.state === 'failed' ? found.error : null,
    isOnline: needs === null,
    save,
    takeBack,
  }
}

const NONE: readonly Region[] = []
