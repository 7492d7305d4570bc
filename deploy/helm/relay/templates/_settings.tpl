{{/* The settings whose values come from the Secret. The first two must be in it. */}}
{{- define "relay.secretSettings" -}}
DATABASE_URL RELAY_SECRET RELAY_SECRET_PREVIOUS METRICS_TOKEN REDIS_URL S3_ACCESS_KEY_ID S3_SECRET_ACCESS_KEY
OTEL_EXPORTER_OTLP_HEADERS GITHUB_SECRET GOOGLE_SECRET OIDC_CLIENT_SECRET SMTP_URL STRIPE_SECRET_KEY STRIPE_WEBHOOK_SECRET
{{- end -}}

{{- define "relay.publicUrl" -}}
{{- if .Values.settings.PUBLIC_URL -}}
{{ .Values.settings.PUBLIC_URL }}
{{- else if .Values.ingress.enabled -}}
https://{{ required "ingress.host must be set: the name under which people reach the installation" .Values.ingress.host }}
{{- else -}}
{{ fail "settings.PUBLIC_URL must be set: the address that people and clients use" }}
{{- end -}}
{{- end -}}

{{- define "relay.environment" -}}
- name: PUBLIC_URL
  value: {{ include "relay.publicUrl" . | quote }}
- name: RELAY_DATA_DIR
  value: /data/relay
- name: RELAY_PROCESSES
  value: {{ .Values.processes | quote }}
{{- range $name, $value := omit .Values.settings "PUBLIC_URL" }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- range regexSplit "\\s+" (include "relay.secretSettings" .) -1 }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ $.Values.secret.name }}
      key: {{ . }}
      {{- if not (has . (list "DATABASE_URL" "RELAY_SECRET")) }}
      optional: true
      {{- end }}
{{- end }}
{{- end -}}

{{/* Of the Job that migrates: it runs before the objects of the chart exist. */}}
{{- define "relay.migrationEnvironment" -}}
- name: RELAY_DATA_DIR
  value: /data/relay
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ .Values.secret.name }}
      key: DATABASE_URL
{{- end -}}
