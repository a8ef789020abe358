import { Button, Group } from '@mantine/core'
import { IconFlag } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { isUnsettled } from '#core/review/query.ts'

import type { PageQueries } from './usePageQueries.ts'

interface PageQueriesLineProps {
  /** Null where who looks has nothing to do with queries. */
  readonly queries: PageQueries | null
  readonly onOpen: () => void
  /** Whether it stands among the buttons of a page that is checked, as high as they are. */
  readonly isAmongOthers?: boolean
}

/** How many queries of the page are not settled, and the way to them and to a question about the page as a whole. */
export function PageQueriesLine({ queries, onOpen, isAmongOthers = false }: PageQueriesLineProps) {
  const { t } = useTranslation('query')
  if (queries === null || (queries.views.length === 0 && !queries.mayAsk)) return null
  const count = queries.views.filter(({ query }) => isUnsettled(query.state)).length
  return (
    <Group>
      <Button
        {...(isAmongOthers ? { size: 'sm', h: 'var(--zl-control)' } : { size: 'md' })}
        variant={count > 0 ? 'light' : 'default'}
        {...(count > 0 ? { color: 'red' } : {})}
        leftSection={<IconFlag size={18} aria-hidden="true" />}
        onClick={onOpen}
      >
        {count > 0 ? t('page.count', { count }) : t('page.open')}
      </Button>
    </Group>
  )
}
