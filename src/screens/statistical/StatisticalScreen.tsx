import { IconChartHistogram } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutletContext, useSearchParams } from 'react-router-dom'
import { isComplete } from '#core/analysis/request.ts'
import type { DataSet } from '#core/api/calls/data/dataset.ts'
import type { StatisticsTables } from '#core/api/calls/data/statistics.ts'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import { useServerQuery } from '#src/data/server.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { NoAccess } from '#src/frame/shell/NoAccess.tsx'
import { useSession } from '#src/session/useSession.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { chosenIn, withChosen } from './address.ts'
import type { Chosen } from './address.ts'
import { SetChoice, TableChoice } from './choose/DataChoice.tsx'
import { KindChoice } from './choose/KindChoice.tsx'
import {
  analyzableSets,
  definitionFor,
  kindsFor,
  lacksStart,
  offeredVariables,
  requestFor,
  tableOf,
} from './choose/offered.ts'
import { VariableChoice } from './choose/VariableChoice.tsx'
import { ResultPart } from './results/ResultPart.tsx'
import classes from './statistical.module.css'

/** Statistics on de-identified data: what is chosen stands in the address, what is found only on the screen. */
export function StatisticalScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  return project.permissions.includes('export') ? <Statistics project={project} /> : <NoAccess />
}

function Statistics({ project }: WorkspacePlace) {
  const { t } = useTranslation('statistical')
  const { reachable } = useSession()
  const projectId = project.id
  const read = useServerQuery('dataset.list', { query: { projectId }, projectId })
  const sets: typeof read = reachable === false && read.state !== 'ready' ? OFFLINE : read
  return (
    // Said where the intro is: a note of its own would push everything down when the network goes.
    <PageFrame title={t('title')} intro={t(reachable === false ? 'offline' : 'intro')} wide>
      <Loaded of={sets} rows={8}>
        {(known) => <Choices projectId={projectId} sets={analyzableSets(known)} />}
      </Loaded>
    </PageFrame>
  )
}

const OFFLINE = { state: 'failed', error: { code: 'offline' } } as const

function Choices({ projectId, sets }: { readonly projectId: string; readonly sets: readonly DataSet[] }) {
  const { t } = useTranslation('statistical')
  const { reachable } = useSession()
  const language = useLanguage()
  const [address, setAddress] = useSearchParams()
  const chosen = chosenIn(address)
  const set = sets.find(({ id }) => id === chosen.set) ?? null
  const definition = definitionFor(set, language)
  const read = useServerQuery('statistics.tables', { body: { projectId, definition }, projectId })
  const tables: typeof read = reachable === false && read.state !== 'ready' ? OFFLINE : read
  const choose = (change: Partial<Chosen>) => setAddress((before) => withChosen(before, change), { replace: true })
  return (
    <Loaded of={tables} rows={10}>
      {(told) => (
        <Chooser
          {...{ projectId, definition, told, chosen }}
          setName={set?.name ?? t('data.all')}
          setChoice={<SetChoice sets={sets} setId={set?.id ?? null} onChoose={choose} />}
          onChoose={choose}
        />
      )}
    </Loaded>
  )
}

interface ChooserProps {
  readonly projectId: string
  readonly definition: DataSetDefinition
  readonly told: StatisticsTables
  readonly chosen: Chosen
  readonly setName: string
  readonly setChoice: ReactNode
  readonly onChoose: (change: Partial<Chosen>) => void
}

function Chooser({ projectId, definition, told, chosen, setName, setChoice, onChoose }: ChooserProps) {
  const { t } = useTranslation('statistical')
  const table = tableOf(told, chosen)
  const icon = <IconChartHistogram size={44} stroke={1.4} />
  if (table === null || told.subjects === 0)
    return (
      <div className={classes.screen}>
        <div className={classes.side}>{setChoice}</div>
        <EmptyState icon={icon} title={t('data.empty.title')} text={t('data.empty.text')} />
      </div>
    )
  const variables = offeredVariables(told, table)
  const request = requestFor(table, variables, chosen)
  const isReady = isComplete(request) && !lacksStart(request, variables)
  return (
    <div className={classes.screen}>
      <div className={classes.side} data-print="no">
        <section className={classes.step} aria-label={t('data.title')}>
          {setChoice}
          <TableChoice {...{ told, table, onChoose }} chosen={{ ...chosen, kind: request.kind }} />
        </section>
        <KindChoice
          kinds={kindsFor(table)}
          kind={request.kind}
          onChoose={(kind) => onChoose({ kind, variables: [...chosen.variables] })}
        />
        <VariableChoice {...{ variables, request, onChoose }} />
      </div>
      <div className={classes.main}>
        {variables.length === 0 ? (
          <EmptyState icon={icon} title={t('data.noVariables.title')} text={t('data.noVariables.text')} />
        ) : isReady ? (
          <ResultPart {...{ projectId, definition, setName, table, request, onChoose }} />
        ) : (
          <EmptyState icon={icon} title={t('choose.empty.title')} text={t(`choose.empty.${request.kind}`)} />
        )}
      </div>
    </div>
  )
}
