/** A project's own picture, or the first letter of its name. A picture from another site is never requested. */
export function ProjectBadge({
  icon,
  name,
  className,
}: {
  readonly icon: string | null
  readonly name: string
  readonly className: string | undefined
}) {
  return (
    <span className={className} aria-hidden="true">
      {icon?.startsWith('data:image/') === true ? <img src={icon} alt="" /> : name.trim().slice(0, 1)}
    </span>
  )
}
