import { Button } from '@mantine/core'
import { use, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useOutletContext, useParams, useSearchParams } from 'react-router-dom'
import { MOST_UAT_SUBJECTS } from '#core/study/uat.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import { uatPath } from '#src/paths/screenPaths.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { useServerQuery } from '#src/data/server.ts'
import type { UnsavedUatSubject } from '#src/data/writes/uat.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import type { AnswerOf } from '#src/session/api.ts'
import type { CallOf } from '#core/api/table.ts'
import { useSession } from '#src/session/useSession.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'

import { UatBanner } from './UatBanner.tsx'
import { UatSubject } from './UatSubject.tsx'
import { UatTools } from './UatTools.tsx'

/** A test version, which its testers fill in to see what it does (specification §4). These data never count. */
export function UatScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  const { crfId = '' } = useParams()
  const { t } = useTranslation('uat')
  const version = useServerQuery('version.detail', { params: { id: crfId }, projectId: project.id })
  const overview = useServerQuery('trial.list', { params: { id: crfId }, projectId: project.id })
  const kept = useUnsavedUat(crfId)
  return (
    <PageFrame
      wide
      title={version.state === 'ready' ? t('titleOf', { version: version.value.versionNoDesc }) : t('title')}
    >
      <UatBanner />
      <Loaded of={version} rows={8}>
        {(loaded) => (
          <Loaded of={overview} rows={8}>
            {(told) =>
              kept === null ? null : <Uat key={crfId} projectId={project.id} version={loaded} told={told} kept={kept} />
            }
          </Loaded>
        )}
      </Loaded>
    </PageFrame>
  )
}

/**
 * The user's test entries that this device has and the server does not, as of the opening of the screen; null until
 * they are read.
 */
function useUnsavedUat(crfId: string): readonly UnsavedUatSubject[] | null {
  const device = use(DeviceContext)
  const [kept, setKept] = useState<readonly UnsavedUatSubject[] | null>(null)
  useEffect(() => {
    let left = false
    // Where this device cannot be read, the user can still try the version.
    void device?.unsavedUat(crfId).then((read) => left || setKept(read.ok ? read.value : []))
    return () => {
      left = true
    }
  }, [device, crfId])
  return kept
}

interface UatProps {
  readonly projectId: string
  readonly version: VersionRow
  readonly told: AnswerOf<CallOf<'trial.list'>>
  readonly kept: readonly UnsavedUatSubject[]
}

function Uat({ projectId, version, told: { mayWrite, lines }, kept }: UatProps) {
  const { t } = useTranslation('uat')
  const { current } = useSession()
  const [search, setSearch] = useSearchParams()
  const me = current.state === 'open' ? current.user.userId : ''
  const testers = new Map(lines.map(({ testerId, testerName }) => [testerId, testerName]))
  const asked = search.get('tester') ?? me
  const testerId = testers.has(asked) || (asked === me && mayWrite) ? asked : (lines[0]?.testerId ?? me)
  const isOwn = testerId === me
  const subjects = new Set([
    ...lines.filter((line) => line.testerId === testerId).map(({ subject }) => subject),
    ...(isOwn ? kept.filter(({ pages }) => pages.length > 0).map(({ subject }) => subject) : []),
  ])
  const wanted = Number(search.get('subject'))
  const subject =
    subjects.has(wanted) || (isOwn && mayWrite && isSubject(wanted))
      ? wanted
      : Math.min(...subjects, ...(subjects.size === 0 ? [1] : []))
  // The other parts of the address belong to the page in it, and go with the page.
  const goTo = (to: Readonly<Record<string, string>>) => setSearch(to, { replace: true })

  if (!mayWrite && lines.length === 0) {
    const inTest = version.crfProfile === 'test'
    return (
      <NothingHere
        projectId={projectId}
        crfId={version.id}
        title={t(inTest ? 'none.title' : 'notInTest.title')}
        text={t(inTest ? 'none.text' : 'notInTest.text')}
      />
    )
  }
  return (
    <>
      <UatTools
        projectId={projectId}
        crfId={version.id}
        testers={[...testers]
          .map(([id, name]) => ({ id, name: id === me ? t('own', { name }) : name }))
          .concat(mayWrite && !testers.has(me) ? [{ id: me, name: t('me') }] : [])}
        testerId={testerId}
        subjects={[...new Set([...subjects, subject])].toSorted((a, b) => a - b)}
        subject={subject}
        mayWrite={mayWrite && isOwn}
        onTester={(id) => goTo({ tester: id })}
        onSubject={(no) => goTo({ tester: testerId, subject: String(no) })}
      />
      <UatSubject
        key={`${testerId} ${subject}`}
        projectId={projectId}
        version={version}
        testerId={testerId}
        subject={subject}
        kept={isOwn && mayWrite ? (kept.find((one) => one.subject === subject)?.pages ?? []) : []}
        mayWrite={mayWrite && isOwn}
      />
    </>
  )
}

/** Shown where there is nothing to try: names the version that is in test, if there is one. */
function NothingHere({
  projectId,
  crfId,
  title,
  text,
}: {
  readonly projectId: string
  readonly crfId: string
  readonly title: string
  readonly text: string
}) {
  const { t } = useTranslation('uat')
  const versions = useServerQuery('version.list', { query: { projectId, current: 1, size: 100 }, projectId })
  const inTest =
    versions.state === 'ready'
      ? versions.value.records.find(({ crfProfile, id }) => crfProfile === 'test' && id !== crfId)
      : undefined
  const action =
    inTest === undefined ? undefined : (
      <Button size="md" component={Link} to={uatPath(projectId, inTest.id)}>
        {t('goTo', { version: inTest.versionNoDesc })}
      </Button>
    )
  return <EmptyState title={title} text={text} action={action} />
}

function isSubject(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= MOST_UAT_SUBJECTS
}
