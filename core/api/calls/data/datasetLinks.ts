import * as z from 'zod/mini'
import { defineCall } from '#core/api/call.ts'
import { filledText, id, instant } from '#core/wire/shapes.ts'

/** Links by which programs outside fetch the file of a de-identified run (docs/adr/0057-analysis-links.md). */

const DATASET = 'server/areas/dataset'

/** Why a link answers no more; `open` while it answers. */
export const linkStates = ['open', 'expired', 'ended'] as const

export const dataSetLink = z.object({
  id,
  runId: id,
  /** What for, in the words of who made it. */
  purpose: z.string(),
  madeByName: z.string(),
  madeAt: instant,
  expiresAt: instant,
  state: z.enum(linkStates),
  endedAt: z.nullable(instant),
  endedByName: z.nullable(z.string()),
  /** How often the file was fetched by it, and when last. */
  uses: z.int(),
  usedAt: z.nullable(instant),
  /** The path below the server's address; for who made it, while it answers. */
  path: z.nullable(z.string()),
})
export type DataSetLink = z.infer<typeof dataSetLink>

/** How many hours a link answers, at most. */
export const MOST_LINK_HOURS = 168

const READ = ['not_found', 'forbidden'] as const
const WRITE = [...READ, 'invalid', 'project_stopped', 'project_closed', 'key_reused'] as const

export const datasetLinkCalls = [
  defineCall({
    id: 'dataset.links',
    area: 'dataset',
    method: 'GET',
    path: '/edc/data/dataset/links',
    summary: 'Links to the file of a run, the newest first; the address only for who made it.',
    query: z.object({ projectId: id, runId: id }),
    data: dataSetLink,
    answer: 'tree',
    permission: 'export',
    errors: READ,
    servedBy: DATASET,
  }),
  defineCall({
    id: 'dataset.linkMake',
    area: 'dataset',
    method: 'POST',
    path: '/edc/data/dataset/link',
    summary: 'Makes a signed address that ends by itself, for the file of a de-identified run of one’s own.',
    body: z.object({
      projectId: id,
      id,
      runId: id,
      hours: z.int().check(z.minimum(1), z.maximum(MOST_LINK_HOURS)),
      purpose: filledText(500),
    }),
    data: dataSetLink,
    permission: 'export',
    errors: [...WRITE, 'already_exists', 'transition_refused'],
    servedBy: DATASET,
  }),
  defineCall({
    id: 'dataset.linkEnd',
    area: 'dataset',
    method: 'POST',
    path: '/edc/data/dataset/linkEnd',
    summary: 'Ends a link: one’s own, and for who decides about identifying runs any.',
    body: z.object({ projectId: id, id }),
    data: dataSetLink,
    permission: 'export',
    errors: [...WRITE, 'transition_refused'],
    servedBy: DATASET,
  }),
  defineCall({
    id: 'dataset.linked',
    area: 'dataset',
    method: 'GET',
    path: '/edc/linked/:id/:signature',
    summary:
      'The archive of a run by a signed address, as long as who made it may still take it out. Any refusal is not_found.',
    params: z.object({ id, signature: z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/)) }),
    data: z.unknown(),
    answer: 'blob',
    auth: 'link',
    errors: ['not_found'],
    servedBy: DATASET,
  }),
] as const
