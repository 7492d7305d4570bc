/** Who is signed in. */
export function Person({ email, name }: { email: string; name: string | null }) {
  return (
    <div className="px-2 pb-0.5">
      {name === null ? null : (
        <p className="truncate font-medium text-sm" title={name}>
          <bdi>{name}</bdi>
        </p>
      )}
      <p className="truncate text-muted text-sm" title={email}>
        {email}
      </p>
    </div>
  );
}
