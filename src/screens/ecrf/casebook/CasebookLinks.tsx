import { Button, Group } from '@mantine/core'
import { IconCalendarTime, IconHistory, IconMessage2, IconPaperclip } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Casebook } from '#src/data/shapes/types.ts'
import { filesPath, messagesPath, patientVisitsPath, trailPath } from '#src/paths/screenPaths.ts'
import classes from '#src/screens/ecrf/ecrf.module.css'

/** Links to what a patient has besides the pages. */
export function CasebookLinks({ book: { project, patient } }: { readonly book: Casebook }) {
  const { t } = useTranslation(['visits', 'files', 'message', 'trail'])
  const links: readonly (readonly [icon: Icon, name: string, address: string])[] = [
    [IconCalendarTime, t('visits:patient.open'), patientVisitsPath(project.id, patient.id)],
    [IconPaperclip, t('files:open'), filesPath(project.id, patient.id)],
    [IconMessage2, t('message:open'), messagesPath(project.id, patient.id)],
    ...(project.permissions.includes('audit_view')
      ? [[IconHistory, t('trail:open'), trailPath(project.id, patient.id)] as const]
      : []),
  ]
  return (
    <Group gap="xs">
      {links.map(([Mark, name, address]) => (
        <Button
          key={address}
          variant="default"
          size="md"
          component={Link}
          to={address}
          className={classes.goOn}
          leftSection={<Mark size={18} aria-hidden="true" />}
        >
          {name}
        </Button>
      ))}
    </Group>
  )
}
