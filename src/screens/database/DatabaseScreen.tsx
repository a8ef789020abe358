import { useTranslation } from 'react-i18next'
import { useOutletContext, useSearchParams } from 'react-router-dom'
import { isId } from '#core/ids.ts'
import { useServerQuery } from '#src/data/server.ts'
import type { Loadable } from '#src/data/shapes/types.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { CENTER_PARAMETER } from '#src/frame/lists/centerChoice.ts'
import { NoAccess } from '#src/frame/shell/NoAccess.tsx'
import { useSession } from '#src/session/useSession.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { NothingFound } from '#src/ui/illustrations/NothingFound.tsx'

import { PageChoice } from './PageChoice.tsx'
import type { PageChosen } from './PageChoice.tsx'
import { PageGrid } from './PageGrid.tsx'

/** The data of any page over all subjects: only the server has all of it. */
export function DatabaseScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  return project.permissions.includes('database_view') ? <Database project={project} /> : <NoAccess />
}

function Database({ project }: WorkspacePlace) {
  const { t } = useTranslation('database')
  const [address, setAddress] = useSearchParams()
  const { reachable } = useSession()
  const asked = useServerQuery('database.pages', { query: { projectId: project.id }, projectId: project.id })
  const pages: typeof asked = reachable === false && asked.state !== 'ready' ? OFFLINE : asked
  const chosen = chosenIn(address)
  const choose = ({ pageId, table, folderId }: PageChosen) =>
    setAddress((before) => {
      const next = new URLSearchParams(before)
      next.set('page', pageId)
      for (const [name, value] of [
        ['table', table],
        ['visit', folderId],
      ] as const) {
        if (value === null) next.delete(name)
        else next.set(name, value)
      }
      return next
    })
  return (
    <PageFrame title={t('title')} wide>
      <Loaded of={pages} rows={10}>
        {(value) => {
          if (value.length === 0)
            return <EmptyState icon={<NothingFound />} title={t('empty.none.title')} text={t('empty.none.text')} />
          const page = value.find(({ pageId }) => pageId === chosen?.pageId)
          const picker = <PageChoice pages={value} chosen={page === undefined ? null : chosen} onChoose={choose} />
          if (page === undefined || chosen === null)
            return (
              <>
                {picker}
                <EmptyState icon={<NothingFound />} title={t('empty.choose.title')} text={t('empty.choose.text')} />
              </>
            )
          return (
            <PageGrid
              key={`${chosen.pageId}/${chosen.table ?? ''}`}
              {...{ project, page, picker, chosen }}
              searchId={idIn(address, 'search')}
              onSearch={(id) =>
                setAddress((before) => {
                  const next = new URLSearchParams(before)
                  if (id === null) next.delete('search')
                  else next.set('search', id)
                  return next
                })
              }
              firstCenter={idIn(address, CENTER_PARAMETER)}
              onVisit={(folderId) => choose({ ...chosen, folderId })}
            />
          )
        }}
      </Loaded>
    </PageFrame>
  )
}

const OFFLINE: Loadable<never> = { state: 'failed', error: { code: 'offline' } }

function idIn(address: URLSearchParams, name: string): string | null {
  const value = address.get(name)
  return value !== null && isId(value) ? value : null
}

function chosenIn(address: URLSearchParams): PageChosen | null {
  const pageId = idIn(address, 'page')
  const table = address.get('table')
  const isTable = table !== null && /^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(table)
  return pageId === null ? null : { pageId, table: isTable ? table : null, folderId: idIn(address, 'visit') }
}
