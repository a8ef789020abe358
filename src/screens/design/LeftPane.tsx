import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { Palette } from './canvas/Palette.tsx'
import type { DesignEditor } from './designEditor.ts'
import classes from './design.module.css'

export type LeftTab = 'tree' | 'palette'

interface LeftPaneProps {
  readonly editor: DesignEditor
  readonly tab: LeftTab
  readonly onTab: (tab: LeftTab) => void
  /** Whether there is a page to add fields to. */
  readonly mayAdd: boolean
  /** The tree. It stays as it was scrolled while the palette is in front of it. */
  readonly children: ReactNode
}

/**
 * The tree of the study, and the palette in a tab of its own: the properties of what was added stay in sight beside it.
 */
export function LeftPane({ editor, tab, onTab, mayAdd, children }: LeftPaneProps) {
  const { t } = useTranslation('design')
  const shown = mayAdd ? tab : 'tree'
  return (
    <Tabs
      className={classes.left}
      value={shown}
      onChange={(value) => onTab(value === 'palette' ? 'palette' : 'tree')}
      keepMounted={false}
    >
      {mayAdd && (
        <Tabs.List grow className={classes.tabs}>
          <Tabs.Tab value="tree" className={classes.tab}>
            {t('tree.tab')}
          </Tabs.Tab>
          <Tabs.Tab value="palette" className={classes.tab}>
            {t('palette.title')}
          </Tabs.Tab>
        </Tabs.List>
      )}
      <Tabs.Panel value="tree" className={classes.tabPanel} keepMounted>
        {children}
      </Tabs.Panel>
      {mayAdd && (
        <Tabs.Panel value="palette" className={classes.tabPanel}>
          <Palette editor={editor} />
        </Tabs.Panel>
      )}
    </Tabs>
  )
}
