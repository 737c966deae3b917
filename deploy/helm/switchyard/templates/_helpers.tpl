{{- /* The name of the platform in labels, and of the objects that all services share. */}}
{{- define "switchyard.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end }}

{{- define "switchyard.fullname" -}}
{{- default (include "switchyard.name" .) .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- end }}

{{- /* (list $ "agent"): the name of one part. It has a prefix with fullnameOverride alone. */}}
{{- define "switchyard.partname" -}}
{{- $root := index . 0 -}}
{{- $part := index . 1 -}}
{{- if $root.Values.fullnameOverride -}}
{{- printf "%s-%s" (include "switchyard.fullname" $root) $part -}}
{{- else -}}
{{- $part -}}
{{- end -}}
{{- end }}

{{- define "switchyard.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end }}

{{- /* Labels of Helm, and of the operator. */}}
{{- define "switchyard.helmLabels" -}}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | quote }}
{{- end }}

{{- define "switchyard.labels" -}}
{{ include "switchyard.partOf" . }}
{{ include "switchyard.helmLabels" . }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "switchyard.partOf" -}}
app.kubernetes.io/part-of: {{ include "switchyard.name" . }}
{{- end }}

{{- /* (list $ "agent"): what selectors of one part match. They cannot change after the installation. */}}
{{- define "switchyard.selector" -}}
app.kubernetes.io/name: {{ index . 1 }}
{{ include "switchyard.partOf" (index . 0) }}
{{- end }}

{{- define "switchyard.partLabels" -}}
app.kubernetes.io/name: {{ index . 1 }}
{{ include "switchyard.labels" (index . 0) }}
{{- end }}

{{- /* Labels of the pods of one part: selectors match them, and operators add theirs. */}}
{{- define "switchyard.podLabels" -}}
{{ include "switchyard.selector" . }}
{{- $values := (index . 0).Values }}
{{- with merge (deepCopy $values.podLabels) $values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* (list $ "agent"): the name of the Secret of a service or of the Job migrate. */}}
{{- define "switchyard.secret" -}}
{{- $existing := (index . 0).Values.existingSecret -}}
{{- $service := index . 1 -}}
{{- get $existing.names $service | default (print $existing.prefix $service) -}}
{{- end }}

{{- /* (list $ "agent"): the Secret as a source of variables. */}}
{{- define "switchyard.secretRef" -}}
- secretRef:
    name: {{ include "switchyard.secret" . | quote }}
    {{- if (index . 0).Values.existingSecret.optional }}
    optional: true
    {{- end }}
{{- end }}

{{- define "switchyard.ownCaVariable" -}}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/switchyard-ca/ca.crt
{{- end }}

{{- define "switchyard.ownCaMount" -}}
- name: ca
  mountPath: /etc/switchyard-ca
  readOnly: true
{{- end }}

{{- define "switchyard.ownCaVolume" -}}
- name: ca
  configMap:
    name: {{ .Values.ownCa.configMap | quote }}
{{- end }}

{{- /* (list $ $service): where a pod runs. A service's own value replaces the one for all pods. */}}
{{- define "switchyard.scheduling" -}}
{{- $root := index . 0 }}
{{- $own := index . 1 }}
{{- with $own.nodeSelector | default $root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $own.tolerations | default $root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $own.affinity | default $root.Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $own.priorityClassName | default $root.Values.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- with $own.hostAliases | default $root.Values.hostAliases }}
hostAliases:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* Connections to Postgres when every service has its most replicas, and one more of each while it is replaced. */}}
{{- define "switchyard.connections" -}}
{{- $pool := int (.Values.config.DATABASE_POOL_SIZE | default .Values.database.poolSize) }}
{{- $replicas := 0 }}
{{- range $name, $service := omit .Values.services "gateway" }}
{{- $isScaled := or $service.autoscaling.enabled (and $.Values.keda.enabled (has $name (list "task" "event-bus"))) }}
{{- $most := ternary $service.autoscaling.maxReplicas $service.replicas $isScaled }}
{{- $replicas = add $replicas $most 1 }}
{{- end }}
{{- mul $pool $replicas }}
{{- end }}

{{- define "switchyard.checkConnections" -}}
{{- $planned := int (include "switchyard.connections" .) }}
{{- $free := int (sub .Values.database.maxConnections .Values.database.reservedConnections) }}
{{- if gt $planned $free }}
{{- fail (printf "The pools of all services can open %d connections to Postgres, and database.maxConnections (%d) without database.reservedConnections (%d) leaves %d. Lower services.<name>.autoscaling.maxReplicas or database.poolSize, or raise max_connections of Postgres and database.maxConnections." $planned (int .Values.database.maxConnections) (int .Values.database.reservedConnections) $free) }}
{{- end }}
{{- end }}

{{- /* The URLs of the internal ports, by service. */}}
{{- define "switchyard.internalUrls" -}}
{{- $urls := dict }}
{{- range $name, $_ := .Values.services }}
{{- $host := include "switchyard.partname" (list $ (ternary "gateway-internal" $name (eq $name "gateway"))) }}
{{- $_ := set $urls $name (printf "http://%s:8081" $host) }}
{{- end }}
{{- toJson $urls }}
{{- end }}

{{- /* Settings of all services. Pod templates have its checksum: a change replaces the pods. */}}
{{- define "switchyard.config" -}}
NODE_ENV: production
INTERNAL_HOST: 0.0.0.0
INTERNAL_PORT: "8081"
INTERNAL_URLS: {{ include "switchyard.internalUrls" . | squote }}
GATEWAY_HOST: 0.0.0.0
GATEWAY_PORT: "3000"
SHUTDOWN_GRACE_MS: "25000"
{{- $shared := dict "DATABASE_POOL_SIZE" (toString .Values.database.poolSize) }}
{{- with .Values.models.systemAgentModel }}
{{- $_ := set $shared "SYSTEM_AGENT_MODEL" . }}
{{- end }}
{{- $telemetry := ternary .Values.monitoring.config dict .Values.monitoring.enabled }}
{{- range $name, $value := merge (deepCopy .Values.config) $telemetry $shared }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end }}

{{- /* Names in config that every pod receives from a Secret of kubernetes-secrets.js instead. */}}
{{- define "switchyard.replacedConfig" -}}
{{- $inSecrets := list "BOOTSTRAP_EMAIL" "BOOTSTRAP_PASSWORD" "DATABASE_ADMIN_URL" "DATABASE_LOGINS" "DATABASE_SECOND_PASSWORD" "DATABASE_URL" "DATA_KEY" "KEY_PEPPERS" "NATS_MIGRATION_SEED" "NATS_NKEY_SEED" "NATS_URL" "REDIS_URL" "SERVICE_PRIVATE_KEY" "SERVICE_PUBLIC_KEYS" }}
{{- $replaced := list }}
{{- range $name, $_ := .Values.config }}
{{- if has $name $inSecrets }}{{ $replaced = append $replaced $name }}{{ end }}
{{- end }}
{{- join ", " $replaced }}
{{- end }}

{{- /* The public addresses: everything but networkPolicies.outside.except and exceptIPv6. */}}
{{- define "switchyard.publicAddresses" -}}
{{- $outside := .Values.networkPolicies.outside }}
{{- $exceptIPv6 := $outside.exceptIPv6 }}
{{- if not $outside.nat64 }}
{{- $exceptIPv6 = concat $exceptIPv6 (list "64:ff9b::/96" "64:ff9b:1::/48") }}
{{- end }}
- ipBlock:
    cidr: 0.0.0.0/0
    {{- with $outside.except }}
    except:
      {{- toYaml . | nindent 6 }}
    {{- end }}
- ipBlock:
    cidr: ::/0
    {{- with $exceptIPv6 }}
    except:
      {{- toYaml . | nindent 6 }}
    {{- end }}
{{- end }}

{{- define "switchyard.hasModels" -}}
{{- if or .Values.models.catalogue .Values.models.existingConfigMap -}}true{{- end -}}
{{- end }}
