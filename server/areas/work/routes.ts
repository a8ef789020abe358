import { aboutMe } from '#server/areas/work/aboutMe.ts'
import type { Handlers } from '#server/http/handler.ts'

export const handlers: Handlers = {
  'project.aboutme': aboutMe,
}
