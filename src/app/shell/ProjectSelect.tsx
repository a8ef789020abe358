import { Button, Menu, ScrollArea, TextInput } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { reloadAddress } from '#src/app/redirect.ts'
import { useProjects } from '#src/data/projects.ts'

import { useStatusName } from './statusName.ts'
import classes from './shell.module.css'

/** Chooses the project one works in. Choosing goes through /302, so that everything of the old one is left behind (SPEC §2). */
export function ProjectSelect({ projectId }: { readonly projectId: string | null }) {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const statusName = useStatusName()
  const projects = useProjects()
  const [search, setSearch] = useState('')
  if (projects.state !== 'ready' || projects.value.length === 0) return null
  const current = projects.value.find(({ id }) => id === projectId)
  const matching = projects.value.filter(({ projectName }) => projectName.toLowerCase().includes(search.trim().toLowerCase()))
  return (
    <Menu width={340} position="bottom-start" shadow="md" onClose={() => setSearch('')}>
      <Menu.Target>
        <Button
          variant="subtle"
          h={44}
          px="xs"
          className={`${classes.barButton} ${classes.project}`}
          rightSection={<IconChevronDown size={16} aria-hidden="true" />}
          aria-label={`${t('project.choose')}${current === undefined ? '' : `: ${current.projectName}`}`}
        >
          <span className={classes.projectName}>{current?.projectName ?? t('project.choose')}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {projects.value.length > 8 && (
          <TextInput
            m={4}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            placeholder={t('project.search')}
            aria-label={t('project.search')}
          />
        )}
        <ScrollArea.Autosize mah={360}>
          {matching.length === 0 && <Menu.Label>{t('project.none')}</Menu.Label>}
          {matching.map((project) => (
            <Menu.Item
              key={project.id}
              mih={44}
              rightSection={<small>{statusName(project.projectStatus)}</small>}
              {...(project.id === projectId ? { 'aria-current': 'true' as const, fw: 600 } : {})}
              onClick={() => void navigate(reloadAddress(`/p/${project.id}`))}
            >
              {project.projectName}
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  )
}
