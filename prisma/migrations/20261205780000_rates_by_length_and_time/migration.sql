-- Rates of text may depend on the length of the input, and all rates on the time of day.
alter table price_version drop constraint price_version_other_rates;
alter table price_version add constraint price_version_other_rates check (case
    when jsonb_typeof(other_rates) <> 'array' then false
    else jsonb_array_length(other_rates) <= 62
      and not jsonb_path_exists(other_rates, 'strict $[*] ? (@.type() != "object")')
      and not jsonb_path_exists(other_rates, '$[*].keyvalue() ? (!('
        '@.key == "unit" || @.key == "amount" || @.key == "size" || @.key == "quality"'
        ' || @.key == "resolution" || @.key == "audio" || @.key == "input_video"'
        ' || @.key == "tier" || @.key == "input_from" || @.key == "hours"))')
      and not jsonb_path_exists(other_rates, '$[*] ? (!(@.unit.type() == "string" && ('
        '@.unit == "input_token" || @.unit == "cached_input_token" || @.unit == "cache_write_token"'
        ' || @.unit == "input_audio_token" || @.unit == "input_image"'
        ' || @.unit == "output_token" || @.unit == "reasoning_token" || @.unit == "audio_token"'
        ' || @.unit == "image_token" || @.unit == "video_token"'
        ' || @.unit == "image" || @.unit == "partial_image"'
        ' || @.unit == "second" || @.unit == "tool_call" || @.unit == "request")))')
      and not jsonb_path_exists(other_rates, '$[*] ? (!(@.amount.type() == "number"'
        ' && @.amount >= 0 && @.amount <= 1000000000000 && @.amount.floor() == @.amount))')
      and not jsonb_path_exists(other_rates, '$[*] ? ('
        '(exists(@.size) || exists(@.quality)) && @.unit != "image"'
        ' || (exists(@.resolution) || exists(@.audio) || exists(@.input_video))'
        ' && @.unit != "second" && @.unit != "video_token"'
        ' || exists(@.tier) && (@.unit == "image" || @.unit == "partial_image"'
        ' || @.unit == "input_image" || @.unit == "image_token"'
        ' || @.unit == "tool_call" || @.unit == "request")'
        ' || exists(@.input_from) && !(@.unit == "input_token"'
        ' || @.unit == "cached_input_token" || @.unit == "cache_write_token"'
        ' || @.unit == "input_audio_token" || @.unit == "output_token"'
        ' || @.unit == "reasoning_token" || @.unit == "audio_token"))')
      -- Without a selector it is the rate of all tokens, which has a column of its own.
      and not jsonb_path_exists(other_rates, '$[*] ? ((@.unit == "input_token"'
        ' || @.unit == "output_token" || @.unit == "image_token")'
        ' && !(exists(@.tier) || exists(@.input_from) || exists(@.hours)))')
      and not jsonb_path_exists(other_rates, '$[*] ? (@.unit == "video_token" && !('
        'exists(@.resolution) || exists(@.audio) || exists(@.input_video) || exists(@.tier)'
        ' || exists(@.hours)))')
      and not jsonb_path_exists(other_rates, '$[*] ? ('
        'exists(@.audio) && @.audio.type() != "boolean"'
        ' || exists(@.input_video) && @.input_video.type() != "boolean")')
      and not jsonb_path_exists(other_rates, '$[*].keyvalue() ? ('
        '@.key == "size" || @.key == "quality" || @.key == "resolution" || @.key == "tier").value'
        ' ? (!(@.type() == "string" && @ like_regex "^[0-9A-Za-z._:-]{1,40}$"))')
      and not jsonb_path_exists(other_rates, 'strict $[*] ? (exists(@.input_from)'
        ' && !(@.input_from.type() == "number" && @.input_from >= 1'
        ' && @.input_from <= 2147483648 && @.input_from.floor() == @.input_from))')
      and not jsonb_path_exists(other_rates, 'strict $[*] ? (exists(@.hours)'
        ' && !(@.hours.type() == "string" && @.hours like_regex'
        ' "^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$"))')
    end);
